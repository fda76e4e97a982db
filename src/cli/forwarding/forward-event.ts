import { createHmac } from 'node:crypto';
import { parseUrl } from '../../kernel/text/parse-url.ts';
import { systemClock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import { UsageError } from '../input/usage-error.ts';

/** An event as a stream brings it. */
export type StreamedEvent = Readonly<Record<string, unknown>>;

/** Posts events to a receiver of one's own, as a webhook would get them. */
export type Forward = (event: StreamedEvent, signal: AbortSignal) => Promise<string>;

const longestWait = 10_000;

/**
 * Posts events to an address, signed as Standard Webhooks 1.0 has it, in the structured mode of CloudEvents.
 * Answers what came of each as a line: a receiver that refuses or is not there holds up nothing. Throws
 * `UsageError` for an address that is none.
 */
export function forwardTo(address: string, { secret }: { readonly secret: string }): Forward {
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${address} is no address to forward to, such as http://localhost:3000/hook.`,
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
      if (signal.aborted) throw error; // somebody ends the command, whatever the receiver does
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return `[failed] ${url.href} ${id}: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  };
}
