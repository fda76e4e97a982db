import { once } from 'node:events';
import { get } from 'node:http';
import { get as getOverTls } from 'node:https';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Clock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import type { Finding } from './finding.ts';

export type Place = { readonly host: string; readonly port: number; readonly isTls: boolean };

/** Whether the address can be listened on; a Tradewind that already answers there is fine too. */
export async function checkPort(
  place: Place,
  clock: Clock,
): Promise<{ readonly finding: Finding; readonly isServed: boolean }> {
  const address = `${place.host}:${place.port}`;
  const code = await tryToListen(place);
  const isServed = code === 'EADDRINUSE' && (await isTradewind(place, clock));
  if (code === undefined || isServed) {
    const detail = isServed ? `a Tradewind already answers on ${address}` : `${address} is free`;
    return { finding: { check: 'port', ok: true, detail }, isServed };
  }
  const finding: Finding = {
    check: 'port',
    ok: false,
    detail: `${address} cannot be listened on (${code})`,
    mend: `${code === 'EADDRINUSE' ? 'stop the process that uses it, or ' : ''}choose another with TRADEWIND_PORT and TRADEWIND_HOST`,
  };
  return { finding, isServed };
}

function tryToListen({ host, port }: Place): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Milliseconds for an answer from this machine. */
const patience = 2_000;

async function isTradewind({ host, port, isTls }: Place, clock: Clock): Promise<boolean> {
  const ask = async (signal: AbortSignal) => {
    // The certificate names the public host, not this address. Nothing secret is sent, so it is not checked.
    const request = isTls
      ? getOverTls({ host, port, path: '/health', signal, rejectUnauthorized: false })
      : get({ host, port, path: '/health', signal });
    const [response] = await once(request, 'response');
    const body = (await json(response)) as { data?: { status?: unknown } };
    return body.data?.status === 'ok';
  };
  // Any other answer, or none in time, is not from a Tradewind.
  return withDeadline({ clock, milliseconds: patience }, ask).catch(() => false);
}
