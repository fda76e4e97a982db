import { ListenerError } from './listener-error.ts';

/** Turns the system error of a server that could not listen into one that names the setting to change. */
export function explainListenFailure(
  cause: unknown,
  { host, port }: { host: string; port: number },
): ListenerError {
  // What a server emits as `error` before it listens is a system error.
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new ListenerError(
        'PORT_IN_USE',
        `Port ${port} on ${host} is taken by another process: stop that one, or choose another port (TRADEWIND_PORT or --port).`,
        { cause },
      );
    case 'EACCES':
      return new ListenerError(
        'PORT_FORBIDDEN',
        `This user may not listen on port ${port}: choose one above 1023 (TRADEWIND_PORT or --port), or put a proxy in front.`,
        { cause },
      );
    case 'EADDRNOTAVAIL':
      return new ListenerError(
        'ADDRESS_UNAVAILABLE',
        `${host} is not an address of this machine: set TRADEWIND_HOST to one that is, such as 127.0.0.1.`,
        { cause },
      );
    default:
      return new ListenerError(
        'LISTEN_FAILED',
        `Cannot listen on ${host}, port ${port} (${code ?? 'no code'}): choose others with TRADEWIND_HOST and TRADEWIND_PORT.`,
        { cause },
      );
  }
}
