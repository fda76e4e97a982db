import { readSettings, type SettingSources } from '../../kernel/config/read-settings.ts';
import { isFamily, type Settings, variableName } from '../../kernel/config/setting.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { allSettings, type Config } from './all-settings.ts';
import { findContradictions } from './find-contradictions.ts';
import { readTraceSettings } from './read-trace-settings.ts';

/** Thrown by {@link loadConfig}; `problems` holds one line for each. */
export class ConfigError extends DomainError<'INVALID_CONFIG'> {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const settings = problems.length === 1 ? 'One setting' : `${problems.length} settings`;
    super('INVALID_CONFIG', `${settings} cannot be used:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}

/** What the sources say. If a value breaks its rule, `problems` says so and the config holds the default. */
export type ConfigReading = {
  readonly config: Config;
  readonly problems: readonly string[];
  /** Variables that look like settings but are not. */
  readonly warnings: readonly string[];
};

/** Reads the whole configuration once and gathers every problem, those between settings included. */
export function readConfig(sources: SettingSources): ConfigReading {
  const readings = {
    server: readSettings(allSettings.server, sources),
    swap: readSettings(allSettings.swap, sources),
    authorization: readSettings(allSettings.authorization, sources),
    events: readSettings(allSettings.events, sources),
  };
  const { traces, problems } = readTraceSettings(sources.environment);
  const config: Config = {
    server: readings.server.values,
    swap: readings.swap.values,
    authorization: readings.authorization.values,
    events: readings.events.values,
    hasPubsub: pubsubVariables.some((variable) => sources.environment[variable]),
    traces,
  };
  return {
    config,
    problems: [
      ...Object.values(readings).flatMap((reading) => reading.problems),
      ...problems,
      ...findContradictions(config),
    ],
    warnings: findUnknownVariables(sources.environment),
  };
}

/** The configuration to run with. Throws {@link ConfigError} with every problem at once. */
export function loadConfig(sources: SettingSources): Omit<ConfigReading, 'problems'> {
  const { config, problems, warnings } = readConfig(sources);
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, warnings };
}

/** Google's own libraries define these names and read them too. */
const pubsubVariables = ['GOOGLE_APPLICATION_CREDENTIALS', 'PUBSUB_EMULATOR_HOST'];

/** Variables of the command line's own client, which the server does not read. */
const clientVariables = ['CLIENT_ID', 'CLIENT_ISSUER', 'CLIENT_SECRET', 'KEYRING', 'TOKEN'].map(
  (name) => `TRADEWIND_${name}`,
);

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
