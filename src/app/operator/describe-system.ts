import type { Health } from '../../kernel/lifecycle/health.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Config } from '../settings/all-settings.ts';
import { describeSettings } from '../settings/describe-settings.ts';
import { version } from '../version.ts';
import type { SystemAnswer } from './system-operation.ts';

export type SystemOptions = {
  readonly config: Config;
  readonly health: Pick<Health, 'hindrances'>;
  readonly engine: 'sqlite' | 'postgres';
  /** Writes to the store; rejects where that is not possible. */
  readonly beat: () => Promise<void>;
  readonly nats?: { isUp(): boolean } | undefined;
  readonly measureQueues?: (() => Promise<NonNullable<SystemAnswer['queues']>>) | undefined;
  /** A function, since the workers do not exist yet when this is made. */
  readonly workers: () => readonly { readonly name: string }[];
  readonly clock: Clock;
};

/** Returns what the process is doing now (K8). */
export function createSystemDescription(options: SystemOptions): () => Promise<SystemAnswer> {
  const { config, health, engine, beat, nats, measureQueues, workers, clock } = options;
  const startedAt = new Date(clock.now()).toISOString();
  const settings = describeSettings(config);
  return async () => {
    const hindrances = health.hindrances();
    const [writeMs, queues] = await Promise.all([timeOf(beat, clock), measureQueues?.()]);
    return {
      version,
      node: process.versions.node,
      startedAt,
      services: [...config.server.services],
      memoryBytes: process.memoryUsage.rss(),
      hindrances: { ...hindrances },
      workers: workers().map(({ name }) => {
        const hindrance = hindrances[name] ?? hindrances[`${name} moves`];
        return { name, ...(hindrance === undefined ? {} : { hindrance }) };
      }),
      database: {
        engine: engine === 'sqlite' ? 'embedded' : 'PostgreSQL',
        ...(writeMs === undefined ? {} : { writeMs }),
      },
      nats: nats === undefined ? 'not used' : nats.isUp() ? 'connected' : 'does not answer',
      ...(queues === undefined ? {} : { queues }),
      settings: [...settings],
    };
  };
}

async function timeOf(work: () => Promise<void>, clock: Clock): Promise<number | undefined> {
  const begun = clock.elapsed();
  return work().then(
    () => Math.round((clock.elapsed() - begun) * 10) / 10,
    () => undefined,
  );
}
