import {
  byteSize,
  duration,
  listenHost,
  listOf,
  namedValues,
  network,
  oneOf,
  webOrigin,
} from '../kernel/process/setting-kinds.ts';
import type { SettingKind, Settings } from '../kernel/process/settings.ts';

/** A prefix of NATS subjects in whole tokens, optionally followed by `>`. */
const subjectPrefix: SettingKind<string> = {
  rule: 'the beginning of a NATS subject without *, such as orders',
  parse: (given) => (/^[^\s*>]+>?$/.test(given) ? given : undefined),
};

/** The settings of the events service. */
export const eventsSettings = {
  webhookAllow: {
    kind: listOf(network),
    meaning: 'Networks, beyond public ones, that webhooks may reach.',
    example: 'loopback,10.1.0.0/16',
    default: undefined,
    defaultInWords: '`loopback` while the server itself listens on loopback, else nothing',
  },
  webhookTrusted: {
    kind: listOf(webOrigin),
    meaning: 'Origins whose webhooks get events without being asked for agreement first.',
    example: 'http://127.0.0.1:3000',
    default: undefined,
    defaultInWords: 'none: every webhook is asked before its first event',
  },
  eventSourceHost: {
    kind: listenHost,
    meaning:
      'The host in the `source` of events, for receivers that expect the host of the public service.',
    example: 'workspaceevents.googleapis.com',
    default: undefined,
    defaultInWords: 'host and port of the public URL',
  },
  folders: {
    kind: namedValues('path'),
    meaning: 'Directories whose changes are published as events.',
    example: 'reports=/srv/reports',
    default: undefined,
  },
  eventVisibility: {
    kind: oneOf('shared', 'own'),
    meaning:
      'Who sees published events. With `shared`, every caller with the scopes of an application sees all of its events, which suits one team. With `own`, a subscription gets only events of its own account, also behind wildcards; subscriptions of admins get all.',
    example: 'own',
    default: 'shared',
  },
  mcpEvents: {
    kind: oneOf('own', 'all'),
    meaning:
      'Which event types MCP clients are offered: those of this server and of added applications, or also those of the public Google families.',
    example: 'all',
    default: 'own',
  },
  publishQuota: {
    kind: byteSize,
    meaning: 'Bytes a minute that one account may publish, over all its clients; beyond it 429.',
    example: '50MB',
    default: '50MB',
  },
  eventStorage: {
    kind: byteSize,
    meaning:
      'Bytes of stored events and their deliveries of all publishers together; one account may fill a quarter of it, over all its clients. Beyond it publishing is refused with 429 until older events are removed.',
    example: '100GB',
    default: '20GB',
  },
  natsSubjects: {
    kind: listOf(subjectPrefix),
    meaning: 'Prefixes of the NATS subjects that subscriptions may deliver to.',
    example: 'orders,alerts.prices',
    default: undefined,
    defaultInWords: 'none: no subscription delivers to NATS',
  },
  retryFirst: {
    kind: duration,
    meaning: 'The pause between a failed delivery and its first retry.',
    example: '1s',
    default: '1s',
  },
  retryMax: {
    kind: duration,
    meaning: 'The longest pause between two retries.',
    example: '1h',
    default: '1h',
  },
  retryWindow: {
    kind: duration,
    meaning: 'How long a delivery is retried before it is given up.',
    example: '24h',
    default: '24h',
  },
  eventRetention: {
    kind: duration,
    meaning: 'How long events and their delivery log are kept.',
    example: '7d',
    default: '7d',
  },
} as const satisfies Settings;
