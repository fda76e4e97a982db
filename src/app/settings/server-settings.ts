import { forwardingHeaders } from '../../kernel/edge/caller.ts';
import {
  durationUpTo,
  listenHost,
  listOf,
  network,
  oneOf,
  path,
  textOfAtLeast,
  url,
  webOrigin,
  wholeNumber,
} from '../../kernel/process/setting-kinds.ts';
import type { Settings } from '../../kernel/process/settings.ts';
import { logLevels } from '../../kernel/telemetry/logger.ts';

const serviceNames = ['swap', 'authorization', 'events', 'context'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The settings of the process itself, whatever services it runs. */
export const serverSettings = {
  port: {
    kind: wholeNumber(0, 65_535),
    meaning: 'The port to listen on; 0 lets the system choose one.',
    example: '8787',
    default: '8787',
  },
  host: {
    kind: listenHost,
    meaning: 'The address to listen on.',
    example: '127.0.0.1',
    default: '127.0.0.1',
  },
  publicUrl: {
    kind: webOrigin,
    meaning: 'The address clients use; also the issuer of tokens.',
    example: 'https://tradewind.example.com',
    default: undefined,
    defaultInWords: '`http://localhost:PORT`, or `https://localhost:PORT` with a certificate',
  },
  dataDir: {
    kind: path,
    meaning: 'The directory of the embedded database and the keys.',
    example: '/var/lib/tradewind',
    default: './data',
  },
  databaseUrl: {
    kind: url('postgres', 'postgresql'),
    meaning: 'A PostgreSQL database to use instead of the embedded file.',
    example: 'postgres://tradewind@localhost/tradewind',
    default: undefined,
    secret: true,
  },
  databaseTimeout: {
    kind: durationUpTo('10m'),
    meaning:
      'How long PostgreSQL may take to answer a statement; a connection that takes longer is closed.',
    example: '5s',
    default: '10s',
  },
  secretKey: {
    kind: textOfAtLeast(8),
    meaning:
      'Opens the sealed secrets in the database; all processes on one database need the same value.',
    example: 'the output of: openssl rand -base64 32',
    default: undefined,
    defaultInWords:
      'the file `master.key` in the data directory, or the password of `TRADEWIND_DATABASE_URL`',
    secret: true,
  },
  natsUrl: {
    kind: url('nats', 'tls'),
    meaning:
      'A NATS server: JetStream carries events between processes, and subscriptions may deliver to its subjects.',
    example: 'nats://localhost:4222',
    default: undefined,
    secret: true,
  },
  services: {
    kind: listOf(oneOf(...serviceNames)),
    meaning: 'Which services this process runs.',
    example: 'swap,authorization,context',
    default: serviceNames.join(','),
  },
  devchain: {
    kind: oneOf('auto', 'off'),
    meaning: 'The embedded development chain: `off` to run without it.',
    example: 'off',
    default: 'auto',
  },
  tlsCert: {
    kind: path,
    meaning: 'A certificate file (PEM, with its chain): serves HTTPS directly.',
    example: '/etc/tradewind/cert.pem',
    default: undefined,
  },
  tlsKey: {
    kind: path,
    meaning: 'The private key file (PEM) of the certificate.',
    example: '/etc/tradewind/key.pem',
    default: undefined,
  },
  trustedProxy: {
    kind: listOf(network),
    meaning:
      'Addresses of TLS proxies in front of the server; their forwarded headers are trusted.',
    example: '10.0.0.5',
    default: undefined,
  },
  forwardedHeader: {
    kind: oneOf(...forwardingHeaders),
    meaning:
      'The header in which the proxies of `TRADEWIND_TRUSTED_PROXY` name the caller. With `forwarded` it also has the scheme and the host, which are otherwise read from `X-Forwarded-Proto` and `X-Forwarded-Host`. The other is ignored, since a proxy passes on what the caller wrote there.',
    example: 'forwarded',
    default: 'x-forwarded-for',
  },
  allowedOrigins: {
    kind: listOf(webOrigin),
    meaning:
      'Origins of web pages with the rights of our own pages: to use `/mcp`, change the development chain and act for a client.',
    example: 'http://localhost:5173',
    default: undefined,
    defaultInWords: 'none: pages of other origins may only read quotes and ask people for consent',
  },
  logLevel: {
    kind: oneOf(...logLevels),
    meaning: 'How much is logged.',
    example: 'warn',
    default: 'info',
  },
  logFormat: {
    kind: oneOf('auto', 'json', 'pretty'),
    meaning: 'How logs look: `auto` is `pretty` on a terminal and `json` elsewhere.',
    example: 'json',
    default: 'auto',
  },
} as const satisfies Settings;
