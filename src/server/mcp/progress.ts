import type { ServerContext } from '@modelcontextprotocol/server';

const everyMs = 100;

interface ProgressReporter {
  report(line: string): void;
  stop(): void;
}

/** Sends the newest console line to a client that asked for progress: the first at once, then ten a second at most. */
export function progressReporter({ mcpReq }: ServerContext): ProgressReporter | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let count = 0;
  let newest: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  const send = () => {
    timer = null;
    if (newest === null) return;
    const params = { progressToken, progress: ++count, message: newest };
    newest = null;
    timer = setTimeout(send, everyMs);
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}); // it has gone, and will not miss it
  };
  return {
    report(line) {
      newest = line;
      if (timer === null) send();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      newest = null;
    },
  };
}
