import { createServer } from 'node:net';
import type { Finding } from './finding.ts';

/** Whether the address can be listened on; a Tradewind that already answers there is fine too. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const address = `${host}:${port}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return { check: 'port', ok: true, detail: `${address} is free` };
  if (code === 'EADDRINUSE' && (await isTradewind(host, port))) {
    return { check: 'port', ok: true, detail: `a Tradewind already answers on ${address}` };
  }
  return {
    check: 'port',
    ok: false,
    detail: `${address} cannot be listened on (${code})`,
    mend: 'end what uses it, or choose another with TRADEWIND_PORT and TRADEWIND_HOST',
  };
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isTradewind(host: string, port: number): Promise<boolean> {
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  try {
    const response = await fetch(`http://${authority}/health`, {
      signal: AbortSignal.timeout(2_000),
    });
    const body = (await response.json()) as { data?: { status?: unknown } };
    return body.data?.status === 'ok';
  } catch {
    return false; // whatever answers there is not ours
  }
}
