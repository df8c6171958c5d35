import { Argument, type Command } from 'commander';
import { endHelp } from './help.ts';

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .summary('print a script that lets a shell complete cay')
    .description(
      'Prints a script for a shell: it completes commands, flags and their values, and from a running server ids, heaps ' +
        'and sessions.',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion/script.ts');
      process.stdout.write(completionScript(shell, program));
    });
  endHelp(command, {
    exitCodes: '0 printed, 2 another shell.',
    examples: [
      "echo 'source <(cay completion bash)' >> ~/.bashrc",
      "echo 'source <(cay completion zsh)' >> ~/.zshrc",
      'cay completion fish > ~/.config/fish/completions/cay.fish',
    ],
  });
}
