import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FuzzedServer, startFuzzedServer } from '../fuzz/start-fuzzed-server.ts';
import { countClasses } from './count-classes.ts';
import { findGrowth } from './find-growth.ts';
import { type LoadPart, openMixedLoad } from './mixed-load.ts';
import { askForReading, type ProbeAnswer, type Reading } from './reading.ts';
import type { SoakReport } from './soak-report.ts';

/** How long each part runs: a number of rounds, or a time. */
export type Stretch = { readonly rounds: number } | { readonly milliseconds: number };

export type SoakOptions = {
  /** Whether caches that take long to fill are filled before the warm-up, so that they grow no more. */
  readonly isFilled?: boolean;
  /** Fills what grows only once: caches, compiled code, connections. */
  readonly warmUp: Stretch;
  readonly work: Stretch;
  /** Between two rounds of a part, in milliseconds. */
  readonly pause?: number;
  /** The pause before a reading, in milliseconds: idle connections are closed after eight seconds. */
  readonly rest: number;
  readonly environment?: Readonly<Record<string, string>>;
};

const ownerPassword = 'correct-horse-battery';
const probe = new URL('probe.ts', import.meta.url);

/** Runs the whole load on a server of its own, and reads what the idle server holds before and after. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { isFilled = false, warmUp, work, pause = 0, rest, environment } = options;
  const settings = { TRADEWIND_OWNER_PASSWORD: ownerPassword, ...environment };
  const server = await startFuzzedServer(settings, probe);
  try {
    const load = await openMixedLoad({ url: server.url, ownerPassword });
    const refusals: string[] = [];
    let rounds: Record<string, number> = {};

    const go = async (stretch: Stretch) => {
      const until = 'milliseconds' in stretch ? Date.now() + stretch.milliseconds : 0;
      const isOver = (index: number) =>
        'rounds' in stretch ? index >= stretch.rounds : Date.now() >= until;
      const repeat = async ({ name, round }: LoadPart): Promise<[string, number]> => {
        let done = 0;
        for (let index = 0; !isOver(index) && server.isAlive(); index += 1) {
          await round(index).then(
            () => {
              done += 1;
            },
            (error) => refusals.push(`${name}: ${error}`),
          );
          await sleep(pause);
        }
        return [name, done];
      };
      rounds = Object.fromEntries(await Promise.all(load.parts.map(repeat)));
    };
    if (isFilled) await load.fill();
    await go(warmUp);
    const before = await readAfter(rest, server);
    await go(work);
    let report = { before, after: await readAfter(rest, server), rounds, refusals };
    // A leak stays; what a slow machine has not finished yet goes away.
    for (let more = 0; more < 5 && findGrowth(report).length > 0; more += 1) {
      report = { ...report, after: await readAfter(2 * rest, server) };
    }
    await load.close();
    if (!server.isAlive()) throw new Error(`the server ended: ${server.faults()}`);
    return report;
  } finally {
    await server.end();
  }
}

async function readAfter(rest: number, server: FuzzedServer): Promise<Reading> {
  await sleep(rest);
  // The form in which the probe answers.
  const { snapshot, ...reading } = (await server.ask(askForReading)) as ProbeAnswer;
  const classes = countClasses(snapshot);
  await rm(snapshot);
  return { ...reading, classes };
}
