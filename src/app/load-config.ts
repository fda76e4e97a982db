import { readSettings, type SettingSources } from '../kernel/config/read-settings.ts';
import { isFamily, type Settings, variableName } from '../kernel/config/setting.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { allSettings, type Config } from './all-settings.ts';
import { findContradictions } from './find-contradictions.ts';

/** Thrown by {@link loadConfig}; `problems` holds one line for each. */
export class ConfigError extends DomainError<'INVALID_CONFIG'> {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('INVALID_CONFIG', `${problems.length} settings cannot be used:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the whole configuration once and reports every problem at once, those between settings
 * included. `warnings` name variables that look like settings but are none.
 */
export function loadConfig(sources: SettingSources): { config: Config; warnings: string[] } {
  const readings = {
    server: readSettings(allSettings.server, sources),
    swap: readSettings(allSettings.swap, sources),
    authorization: readSettings(allSettings.authorization, sources),
    events: readSettings(allSettings.events, sources),
  };
  const config: Config = {
    server: readings.server.values,
    swap: readings.swap.values,
    authorization: readings.authorization.values,
    events: readings.events.values,
  };
  const problems = [
    ...Object.values(readings).flatMap((reading) => reading.problems),
    ...findContradictions(config),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, warnings: findUnknownVariables(sources.environment) };
}

/** Variables of the command line's own client, which the server does not read. */
const clientVariables = ['TRADEWIND_CLIENT_ID', 'TRADEWIND_CLIENT_SECRET'];

function findUnknownVariables(environment: SettingSources['environment']): string[] {
  const settings = Object.values(allSettings).flatMap((part) =>
    Object.entries<Settings[string]>(part),
  );
  const isKnown = (variable: string) =>
    clientVariables.includes(variable) ||
    settings.some(([name, setting]) =>
      isFamily(setting)
        ? variable.startsWith(`${variableName(name)}_`)
        : variable === variableName(name),
    );
  return Object.keys(environment)
    .filter((variable) => variable.startsWith('TRADEWIND_') && !isKnown(variable))
    .map(
      (variable) =>
        `${variable} is not a setting of this server; tradewind serve --help lists them`,
    );
}
