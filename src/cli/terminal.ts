import { exitCodeOfSignal } from './exit-code.ts';

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `cay run … | head` ends quietly: whoever reads has had enough. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodeOfSignal('SIGPIPE'));
  });
}
