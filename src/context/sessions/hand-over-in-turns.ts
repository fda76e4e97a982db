import type { Transport } from '@modelcontextprotocol/server';
import type { InTurn } from '../../kernel/time/bound-turns.ts';
import type { Clock } from '../../kernel/time/clock.ts';

/**
 * Makes a connected transport deliver its messages one by one: a message that arrives during another waits for its own
 * turn of the event loop. The library delivers a batch at once, which would block the loop for all its answers (N1).
 * Messages stay in order, and those that still wait when the transport closes are dropped.
 */
export function handOverInTurns(
  transport: Transport,
  { clock, inTurn }: { readonly clock: Clock; readonly inTurn: InTurn },
): void {
  const { onmessage: handOver, onclose } = transport;
  const waiting: (() => void)[] = [];
  let isHandingOver = false;

  async function handOverWaiting(): Promise<void> {
    await clock.turn();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await inTurn(next).catch((error) => transport.onerror?.(error));
      await clock.turn();
    }
    isHandingOver = false;
  }

  transport.onmessage = (message, extra) => {
    const step = () => handOver?.(message, extra);
    if (isHandingOver) {
      waiting.push(step);
      return;
    }
    isHandingOver = true;
    void handOverWaiting();
    step();
  };
  transport.onclose = () => {
    waiting.length = 0;
    onclose?.();
  };
}
