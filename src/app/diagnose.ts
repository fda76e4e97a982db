import { type DataDirectory, enterDataDirectory } from '../kernel/process/data-directory.ts';
import { FileError } from '../kernel/process/regular-file.ts';
import type { SettingSources } from '../kernel/process/settings.ts';
import { systemClock } from '../kernel/wait/clock.ts';
import { describeStrangers } from './describe-strangers.ts';
import {
  checkClock,
  checkDatabase,
  checkDisk,
  checkNats,
  checkPort,
  checkRpc,
  checkRuntime,
  type Finding,
} from './doctor-checks.ts';
import { type ConfigReading, readConfig } from './settings/load-config.ts';

/**
 * Checks everything the server needs, with the settings it would run with; a setting that is wrong
 * counts as its default. Every check runs, whatever the others find, and nothing is left behind or changed. A data
 * directory that nobody should touch is reported and not touched.
 */
export async function diagnose(sources: SettingSources): Promise<Finding[]> {
  const reading = readConfig(sources);
  const { server, swap } = reading.config;
  const { host, port, tlsCert } = server;
  const place = { host, port, isTls: tlsCert !== undefined };
  const { finding: portFinding, isServed } = await checkPort(place, systemClock);
  // After the port, since root, which may listen on any, is given up for the owner of the data directory.
  const entered = enter(server.dataDir);
  const { finding: databaseFinding, database } =
    server.databaseUrl === undefined && 'refusal' in entered
      ? { finding: { ...entered.refusal, check: 'database' } }
      : await checkDatabase(server, { isServed });
  const clock = await checkClock(systemClock, database);
  await database?.close();
  return [
    checkRuntime(process.versions.node),
    ...describeSettings(reading),
    ...tellStrangers(reading),
    'refusal' in entered ? entered.refusal : await checkDisk(entered.dataDir),
    databaseFinding,
    ...(await checkNats(server.natsUrl)),
    portFinding,
    clock,
    ...(await checkRpc(swap.rpc, systemClock)),
  ];
}

/** No check: the operator reads what a stranger gets today, and decides. */
function tellStrangers({ config }: ConfigReading): Finding[] {
  if (!config.server.services.includes('authorization')) return [];
  const detail = describeStrangers(config)
    .map(({ of, get }) => `${of}: ${get}`)
    .join('\n');
  return [{ check: 'strangers', ok: true, detail }];
}

function enter(path: string): { readonly dataDir: DataDirectory } | { readonly refusal: Finding } {
  try {
    return { dataDir: enterDataDirectory(path) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const mend = 'do what it says, or choose another directory with TRADEWIND_DATA_DIR';
    return { refusal: { check: 'disk', ok: false, detail: error.message, mend } };
  }
}

function describeSettings({ problems, warnings }: ConfigReading): Finding[] {
  if (problems.length > 0) {
    const mend = 'correct it; docs/configuration.md describes every setting';
    return problems.map((detail) => ({ check: 'settings', ok: false, detail, mend }));
  }
  const detail = warnings.length === 0 ? 'all can be used' : warnings.join('; ');
  return [{ check: 'settings', ok: true, detail }];
}
