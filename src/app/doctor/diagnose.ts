import { systemClock } from '../../kernel/clock.ts';
import type { SettingSources } from '../../kernel/config/read-settings.ts';
import type { Config } from '../all-settings.ts';
import { ConfigError, loadConfig } from '../load-config.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk } from './check-disk.ts';
import { checkPort } from './check-port.ts';
import { checkRpc } from './check-rpc.ts';
import { checkRuntime } from './check-runtime.ts';
import type { Finding } from './finding.ts';

/** Looks at everything the server needs, with the settings it would run with. Starts nothing that stays. */
export async function diagnose(sources: SettingSources): Promise<Finding[]> {
  const runtime = checkRuntime(process.versions.node);
  const settings = checkSettings(sources);
  if (!settings.config) return [runtime, ...settings.findings];
  const { server, swap } = settings.config;
  const disk = await checkDisk(server.dataDir);
  const { finding: databaseFinding, database } = await checkDatabase(server);
  const clock = await checkClock(systemClock, database);
  await database?.close();
  return [
    runtime,
    ...settings.findings,
    disk,
    databaseFinding,
    await checkPort(server.host, server.port),
    clock,
    ...(await checkRpc(swap.rpc)),
  ];
}

function checkSettings(sources: SettingSources): { config?: Config; findings: Finding[] } {
  try {
    const { config, warnings } = loadConfig(sources);
    const detail = warnings.length === 0 ? 'all can be used' : warnings.join('; ');
    return { config, findings: [{ check: 'settings', ok: true, detail }] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = 'correct it; docs/configuration.md describes every setting';
    const findings = error.problems.map((detail) => ({
      check: 'settings',
      ok: false as const,
      detail,
      mend,
    }));
    return { findings };
  }
}
