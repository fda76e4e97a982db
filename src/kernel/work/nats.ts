import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { DomainError } from '../model/domain-error.ts';
import { orAborted } from '../wait/cancel.ts';

/** A connection that reconnects by itself, however long NATS was unreachable. */
export type Nats = {
  readonly connection: NatsConnection;
  isUp(): boolean;
  /** Resolves as soon as it is up, or when the signal fires. */
  whenUp(signal: AbortSignal): Promise<void>;
};

/** How long NATS may take to answer. */
export const natsPatience = 5_000;
/** Milliseconds between two pings; after the second unanswered one the connection counts as lost. */
const natsHeartbeat = 2_000;
/** Milliseconds between two attempts to connect again. */
const reconnectPause = 500;

/**
 * Connects to the server of the setting TRADEWIND_NATS_URL. The caller closes the connection.
 * Throws `UNREACHABLE` or `NOT_ALLOWED`, without the credentials that the URL may hold.
 */
export async function connectNats(url: string): Promise<Nats> {
  const address = parseNatsUrl(url);
  const options = { name: 'tradewind', timeout: natsPatience };
  // By default the driver gives up after ten attempts, or two refusals of its credentials.
  const persistence = {
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectPause,
  };
  // By default a server that falls silent is noticed after six minutes (N9).
  const heartbeat = { pingInterval: natsHeartbeat, maxPingOut: 1 };
  const connection = await connect({ ...address, ...options, ...persistence, ...heartbeat }).catch(
    (error) => {
      throw toNatsError(error, address.servers);
    },
  );
  let isUp = true;
  let reconnected = Promise.withResolvers<void>();

  const watch = async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' && isUp) {
        isUp = false;
        reconnected = Promise.withResolvers();
      }
      if (type !== 'reconnect') continue;
      isUp = true;
      reconnected.resolve();
    }
  };
  void watch();

  return {
    connection,
    isUp: () => isUp,
    async whenUp(signal) {
      while (!isUp && !signal.aborted) await orAborted(reconnected.promise, signal).catch(() => {});
    },
  };
}

function toNatsError(error: unknown, host: string): NatsError {
  if (error instanceof errors.AuthorizationError) {
    return new NatsError(
      'NOT_ALLOWED',
      `NATS at ${host} refuses the credentials of TRADEWIND_NATS_URL: correct them there or in NATS.`,
    );
  }
  const reason = error instanceof Error ? error.message : 'no reason given';
  return new NatsError(
    'UNREACHABLE',
    `NATS at ${host} does not answer (${reason}): start it, correct TRADEWIND_NATS_URL, or unset it, and the database alone carries events between processes.`,
  );
}

/** The driver's settings: where to connect and as whom. */
export type NatsAddress = {
  readonly servers: string;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  readonly tls?: Record<never, never>;
};

/**
 * Extracts what the driver does not read from a URL: `user:password@` or `token@` before the host,
 * and TLS where the scheme is `tls`. Does not check the scheme.
 */
export function parseNatsUrl(url: string): NatsAddress {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [username, password].map(decodeURIComponent);
  return {
    servers: host,
    ...(user && pass ? { user, pass } : {}),
    ...(user && !pass ? { token: user } : {}),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  };
}

/** The NATS server cannot be used. Messages name its host and never the credentials. */
export class NatsError extends DomainError<
  /** Nobody answers there, or not as NATS does. */
  | 'UNREACHABLE'
  /** The credentials are refused, or something needed is not allowed with them. */
  | 'NOT_ALLOWED'
  /** It keeps no streams. */
  | 'WITHOUT_JETSTREAM'
> {}
