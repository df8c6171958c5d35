import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { reasonOf, wasNotDelivered } from './failure.ts';
import { streamEnded } from './http-transport.ts';

const answerMs = 10_000;
const everyMs = 30_000;

interface HealthCheck {
  start(): void;
  /** Now, because something looked wrong. */
  look(): void;
  stop(): void;
}

/** A server over HTTP does not say when it goes; it has to be asked. */
export function healthCheck(client: Client, isBusy: () => boolean, onDeath: (reason: string) => void): HealthCheck {
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const ask = () =>
    client.getProtocolEra() === 'modern' ? client.discover({ timeout: answerMs }) : client.ping({ timeout: answerMs });
  const look = async () => {
    if (isLooking || timer === undefined) return;
    isLooking = true;
    try {
      await ask();
    } catch (error) {
      const isAnswer = error instanceof ProtocolError && error.code !== streamEnded;
      // Calls that are in flight may still be answered, unless the server is certainly not there or has forgotten us.
      if (!isAnswer && (!isBusy() || wasNotDelivered(error))) onDeath(reasonOf(error));
    } finally {
      isLooking = false;
    }
  };
  return {
    start() {
      timer = setInterval(look, everyMs).unref();
    },
    look: () => void look(),
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
