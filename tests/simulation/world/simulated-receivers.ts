import type { OutboundResponse } from '../../../src/kernel/outbound/exchange.ts';
import { OutboundError } from '../../../src/kernel/outbound/guard-addresses.ts';
import type { OutboundHttp, OutboundRequest } from '../../../src/kernel/outbound/outbound-http.ts';
import type { ExchangeEffect } from '../faults.ts';
import type { Process, Scheduler } from './scheduler.ts';

export type Receipt = {
  readonly receiver: number;
  readonly ids: readonly string[];
  /** Whether the sender got a success answer. */
  readonly isAnswered: boolean;
};

export type Receivers = {
  /** The HTTP client with which a process calls receivers. */
  clientOf(process: Process): OutboundHttp;
  /** What goes wrong at a receiver from now on; undefined for nothing. */
  set(receiver: number, effect: ExchangeEffect | undefined): void;
};

export type ReceiversOptions = {
  readonly scheduler: Scheduler;
  latency(): number;
  onReceipt(receipt: Receipt): void;
};

const timeout = 10_000;
const agreement = { 'webhook-allowed-origin': '*' };

/** Receivers of webhooks at `https://receiver-{n}.test/`, and the network to them. */
export function createReceivers(options: ReceiversOptions): Receivers {
  const { scheduler, latency, onReceipt } = options;
  const effects = new Map<number, ExchangeEffect>();

  const request = (process: Process, asked: OutboundRequest): Promise<OutboundResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
    const url = new URL(asked.url);
    const receiver = Number(/\d+/.exec(url.hostname)?.[0]);
    let isOver = false;
    const over = (run: () => void) => () => {
      if (isOver) return;
      isOver = true;
      stop();
      asked.signal?.removeEventListener('abort', abort);
      run();
    };
    const late = () => reject(new OutboundError('TIMED_OUT', `${url.origin} did not answer.`));
    const stop = scheduler.after(asked.timeoutMs ?? timeout, over(late), process);
    const abort = over(() => reject(asked.signal?.reason));
    asked.signal?.addEventListener('abort', abort);
    const answer = (status: number, headers = {}, after = 0) => {
      const body = new Uint8Array();
      scheduler.after(
        latency() + after,
        over(() => resolve({ status, headers, body, isOver: true })),
        process,
      );
    };
    const lose = () => {
      const lost = () => reject(new OutboundError('CONNECTION_LOST', `${url.origin} hung up.`));
      scheduler.after(latency(), over(lost), process);
    };
    const receive = (isAnswered: boolean) =>
      onReceipt({ receiver, ids: idsIn(asked), isAnswered: isAnswered && !isOver });

    scheduler.after(latency(), () => {
      // The handshake always succeeds: faults are for the deliveries after it.
      if (asked.method !== 'POST') return answer(200, agreement);
      switch (effects.get(receiver)) {
        case undefined:
          receive(true);
          return answer(204);
        case 'drop':
          return;
        case 'reset':
          return lose();
        case 'reset-after':
          receive(false);
          return lose();
        case 'repeat':
          receive(true);
          receive(true);
          return answer(204);
        case 'drip':
          receive(false);
          return answer(200, {}, 8_000);
        case 'refuse':
          return answer(503);
      }
    });
    return promise;
  };

  return {
    clientOf: (process) => ({
      request: async (asked) => {
        asked.signal?.throwIfAborted();
        return request(process, asked);
      },
      close: async () => {},
    }),
    set(receiver, effect) {
      if (effect === undefined) effects.delete(receiver);
      else effects.set(receiver, effect);
    },
  };
}

/** The ids of the events in a post, in whichever content mode. */
function idsIn({ headers = {}, body = '' }: OutboundRequest): string[] {
  const id = headers['ce-id'];
  if (id !== undefined) return [id];
  const content: unknown = JSON.parse(String(body));
  // The form in which this program writes events.
  const events = (Array.isArray(content) ? content : [content]) as { id: string }[];
  return events.map((event) => event.id);
}
