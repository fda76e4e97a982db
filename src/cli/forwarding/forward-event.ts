import { createHmac } from 'node:crypto';
import { parseUrl } from '../../kernel/text/parse-url.ts';
import { systemClock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import { UsageError } from '../input/usage-error.ts';

/** An event as received from a stream. */
export type StreamedEvent = Readonly<Record<string, unknown>>;

/** Posts an event to a receiver as a webhook would get it, and returns the outcome as a line. */
export type Forward = (event: StreamedEvent, signal: AbortSignal) => Promise<string>;

const longestWait = 10_000;

/**
 * Posts events to an address, signed by Standard Webhooks 1.0, in the structured mode of CloudEvents. A receiver
 * that refuses or cannot be reached does not stop the stream: the line says so. Throws `UsageError` for an
 * invalid address.
 */
export function forwardTo(address: string, { secret }: { readonly secret: string }): Forward {
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${address} is not an address to forward to: write it as in http://localhost:3000/hook.`,
    );
  }
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return async (event, signal) => {
    const body = JSON.stringify(event);
    const id = String(event.id ?? '');
    const timestamp = String(Math.floor(systemClock.now() / 1_000));
    const signature = createHmac('sha256', key)
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    try {
      const headers = {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
        'user-agent': 'tradewind',
      };
      const limit = { clock: systemClock, milliseconds: longestWait, signal };
      const response = await withDeadline(limit, (inTime) =>
        fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: inTime }),
      );
      await response.body?.cancel();
      return `[${response.status}] ${url.href} ${id}`;
    } catch (error) {
      if (signal.aborted) throw error; // the person ended the command; the receiver did not fail
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return `[failed] ${url.href} ${id}: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  };
}
