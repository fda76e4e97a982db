import { createHmac, randomBytes } from 'node:crypto';
import { styleText } from 'node:util';
import { z } from 'zod';
import { DomainError } from '../kernel/model/domain-error.ts';
import { parseJson } from '../kernel/text/json.ts';
import { parseUrl } from '../kernel/text/url.ts';
import { orAborted } from '../kernel/wait/cancel.ts';
import { systemClock } from '../kernel/wait/clock.ts';
import { withDeadline } from '../kernel/wait/deadline.ts';
import type { CommandInput, Flags, Stream, Terminal } from './command.ts';
import { numberFlag } from './input/read-flags.ts';
import { UsageError } from './input/usage-error.ts';
import { plainText } from './plain-text.ts';
import { openOwnVault } from './server/client-options.ts';
import type { EventsClient } from './server/events-client.ts';
import { ServerError } from './server/server-error.ts';
import { hasColours } from './terminal.ts';

/** An event as received from a stream. */
type StreamedEvent = Readonly<Record<string, unknown>>;

/** Posts an event to a receiver as a webhook would get it, and returns the outcome as a line. */
type Forward = (event: StreamedEvent, signal: AbortSignal) => Promise<string>;

const longestWait = 10_000;

/**
 * Posts events to an address, signed by Standard Webhooks 1.0, in the structured mode of CloudEvents. A receiver
 * that refuses or cannot be reached does not stop the stream: the line says so. Throws `UsageError` for an
 * invalid address.
 */
function forwardTo(address: string, { secret }: { readonly secret: string }): Forward {
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

const key = 'tradewind forward secret';

/**
 * The secret that forwarded events are signed with: the given one, or one that is made once for this user and
 * kept, so that a receiver is set up once (T8). Throws `UsageError` for a malformed secret.
 */
export async function forwardSecret(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (given !== undefined) {
    if (/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(given)) return given;
    throw new UsageError('The secret must be whsec_ followed by the base64 of 24 to 64 bytes.');
  }
  const vault = openOwnVault(environment);
  return vault.lock(key, async () => {
    const kept = await vault.get(key);
    if (kept !== undefined) return kept;
    const made = `whsec_${randomBytes(32).toString('base64')}`;
    await vault.set(key, made);
    return made;
  });
}

const eventSchema = z.record(z.string(), z.unknown());

/** The flags of commands that listen. */
export const listenOptions = {
  since: {
    type: 'string',
    argument: '<event id>',
    help: 'Continue after this event of the stream, instead of with the next new one.',
  },
  count: { type: 'string', argument: '<n>', help: 'Stop after this number of events.' },
  'forward-to': {
    type: 'string',
    argument: '<url>',
    help: 'Also post each event to this address, signed like a webhook.',
  },
  'forward-secret': {
    type: 'string',
    argument: '<secret>',
    help: 'The secret to sign with. Default: a secret that is made once and kept.',
  },
} as const;

/** Where in a stream to begin, and after how many events to end. */
type StreamPart = { readonly since: string | undefined; readonly count: number };

/** Reads the flags of {@link listenOptions}. Throws `UsageError` for an invalid count. */
export function readStreamPart(flags: Flags): StreamPart {
  return {
    since: flags.since === undefined ? undefined : String(flags.since),
    count: numberFlag(flags, 'count', { least: 1 }) ?? Number.POSITIVE_INFINITY,
  };
}

const pauseMs = 1_000;
const mostWaiting = 2 ** 20;
const passing = ['SERVER_UNREACHABLE', 'NOT_READY', 'UNAVAILABLE'];

/**
 * Prints the events of a stream as they arrive, until somebody ends it. After a lost connection it resumes
 * right after the last event, so that nothing is missed. With `--json` each event is a line. Throws any
 * failure of the first connection; later it retries temporary failures and throws the others.
 */
export async function followStream(
  client: EventsClient,
  { path, since, count }: StreamPart & { readonly path: string },
  { flags, terminal }: CommandInput,
): Promise<void> {
  const { stdout, stderr, environment } = terminal;
  const isColoured = hasColours(stdout, environment);
  const forward = await openForward(flags, terminal);
  const ending = new AbortController();
  terminal.onTerminate(() => ending.abort());
  const { signal } = ending;
  // Only a person needs to see that the command waits.
  if (stderr.isTTY) stderr.write('Waiting for events; press Ctrl+C to stop.\n');
  let left = count;
  let lastEventId = since;
  let wasConnected = false;
  let isLost = false;
  while (!signal.aborted) {
    try {
      for await (const { id, data } of client.listen(path, { lastEventId, signal })) {
        lastEventId = id;
        isLost = false;
        const event = readEvent(data);
        // JSON has line breaks only between its tokens, so a space can replace them.
        if (flags.json) stdout.write(`${data.replaceAll('\n', ' ')}\n`);
        else stdout.draw(renderEvent(event, { isColoured }));
        if (forward !== undefined) {
          const said = plainText(await forward(event, signal));
          (flags.json ? stderr : stdout).write(`${said}\n`);
        }
        left -= 1;
        if (left === 0) return ending.abort();
        await whenRead(stdout, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof DomainError;
      if (isRefused && !(wasConnected && isTemporary(error))) throw error;
      if (!isLost) stderr.write('The connection was lost; trying again.\n');
      isLost = true;
    }
    wasConnected = true;
    await systemClock.sleep(pauseMs, signal);
  }
}

/** A restarting server is first unreachable, then not ready; a proxy in front of it may answer in a form of its own. */
function isTemporary({ code, details }: DomainError): boolean {
  return passing.includes(code) || Number(details?.status) >= 500;
}

/** Throws {@link ServerError} if the data is not an event: a retry would not change that. */
function readEvent(data: string): z.output<typeof eventSchema> {
  try {
    return eventSchema.parse(parseJson(data));
  } catch (cause) {
    throw new ServerError(
      'NOT_A_TRADEWIND',
      `The stream sent ${JSON.stringify(plainText(data))}, which is not an event in JSON: name a Tradewind server with --server.`,
      { cause },
    );
  }
}

/** Waits for a slow reader, so that unread events stay at the server. */
async function whenRead(stream: Stream, signal: AbortSignal): Promise<void> {
  if ((stream.writableLength ?? 0) <= mostWaiting) return;
  await orAborted(new Promise<void>((resolve) => stream.write('', resolve)), signal);
}

/** Opens the forwarding that `--forward-to` asks for, and prints its secret once, to stderr. */
async function openForward(
  flags: Flags,
  { environment, stderr }: Terminal,
): Promise<Forward | undefined> {
  const address = flags['forward-to'];
  if (address === undefined) return undefined;
  const given = flags['forward-secret'] === undefined ? undefined : String(flags['forward-secret']);
  const secret = await forwardSecret(given, environment);
  const forward = forwardTo(String(address), { secret });
  stderr.write(`Forwarding to ${plainText(String(address))}, signed with ${secret}\n`);
  return forward;
}

/** An event as it came, or a message of a topic around one. */
type ReceivedEvent = Readonly<Record<string, unknown>>;

/** One event for people: a line with time, type and subject, and its data below. */
function renderEvent(event: ReceivedEvent, { isColoured }: { isColoured: boolean }): string {
  const text = (name: string) => plainText(String(event[name] ?? ''));
  const paint = (colour: 'gray' | 'cyan', painted: string) =>
    isColoured ? styleText(colour, painted, { validateStream: false }) : painted;
  const time = text('time').slice(11, 19);
  const data = JSON.stringify(event.data ?? event, undefined, 2)
    .split('\n')
    .map((line) => `  ${plainText(line)}`)
    .join('\n');
  return `${paint('gray', time)} ${paint('cyan', text('type'))} ${text('subject')}\n${data}\n`;
}
