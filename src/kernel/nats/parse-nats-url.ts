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
