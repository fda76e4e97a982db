import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { DomainError } from '../../kernel/model/domain-error.ts';
import { isLoopbackHost } from '../../kernel/model/network.ts';
import {
  isFamily,
  readSettings,
  type SettingSources,
  type Settings,
  variableName,
} from '../../kernel/process/settings.ts';
import { allSettings, type Config } from './all-settings.ts';
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

/** The rules between settings: one line for each that is broken. Reads the certificate and key where they are named. */
function findContradictions({ server, authorization, events }: Config): string[] {
  const problems: string[] = [];
  const hasTls = server.tlsCert !== undefined && server.tlsKey !== undefined;
  problems.push(...findTlsProblems(server));
  if (!isLoopbackHost(server.host) && !hasTls && server.trustedProxy === undefined) {
    problems.push(
      `TRADEWIND_HOST is ${JSON.stringify(server.host)}, which others can reach, but plain HTTP must stay on loopback; set TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY, or name the TLS proxy in front with TRADEWIND_TRUSTED_PROXY`,
    );
  }
  const publicUrl = server.publicUrl === undefined ? undefined : new URL(server.publicUrl);
  if (publicUrl?.protocol === 'http:' && !isLoopbackHost(publicUrl.hostname)) {
    problems.push(
      `TRADEWIND_PUBLIC_URL is ${JSON.stringify(server.publicUrl)} but must be https unless it is localhost; set TRADEWIND_PUBLIC_URL=https://${publicUrl.host}`,
    );
  }
  if (publicUrl === undefined && !isLoopbackHost(server.host)) {
    problems.push(
      `TRADEWIND_HOST is ${JSON.stringify(server.host)} but TRADEWIND_PUBLIC_URL, the address clients use, is not set; set it, such as TRADEWIND_PUBLIC_URL=https://…`,
    );
  }
  const wantsTokens = server.services.includes('context') || server.services.includes('events');
  if (wantsTokens && !server.services.includes('authorization') && !server.databaseUrl) {
    problems.push(
      `TRADEWIND_SERVICES is ${JSON.stringify(server.services.join(','))}, without authorization, so that nobody could get a token for context and events; add authorization, or set TRADEWIND_DATABASE_URL to the database of the process that runs it`,
    );
  }
  if ((authorization.idpIssuer === undefined) !== (authorization.idpClientId === undefined)) {
    problems.push(
      'TRADEWIND_IDP_ISSUER and TRADEWIND_IDP_CLIENT_ID belong together but only one is set; set both or neither',
    );
  }
  if (authorization.signUp === 'idp' && authorization.idpIssuer === undefined) {
    problems.push(
      'TRADEWIND_SIGN_UP is "idp", which lets the identity provider say who becomes an account, but TRADEWIND_IDP_ISSUER is not set; set it, or set TRADEWIND_SIGN_UP to invited or open',
    );
  }
  if (events.retryFirst > events.retryMax) {
    problems.push(
      `TRADEWIND_RETRY_FIRST is ${events.retryFirst} ms, longer than TRADEWIND_RETRY_MAX with ${events.retryMax} ms; set TRADEWIND_RETRY_FIRST to at most that`,
    );
  }
  return problems;
}

function findTlsProblems({ tlsCert, tlsKey }: Config['server']): string[] {
  const problems: string[] = [];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    problems.push(
      'TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY belong together but only one is set; set both or neither',
    );
  }
  const read = (name: string, path: string | undefined) => {
    try {
      return path === undefined ? undefined : readFileSync(path);
    } catch {
      problems.push(
        `${name} is ${JSON.stringify(path)} but must be a file that can be read; give the path of a PEM file`,
      );
      return undefined;
    }
  };
  const cert = read('TRADEWIND_TLS_CERT', tlsCert);
  const key = read('TRADEWIND_TLS_KEY', tlsKey);
  if (cert !== undefined && key !== undefined && !isPair({ cert, key })) {
    problems.push(
      `TRADEWIND_TLS_CERT is ${JSON.stringify(tlsCert)} and TRADEWIND_TLS_KEY is ${JSON.stringify(tlsKey)} but they must be a PEM certificate and its own key; give two files that were made together`,
    );
  }
  return problems;
}

function isPair(files: { readonly cert: Buffer; readonly key: Buffer }): boolean {
  try {
    createSecureContext(files);
    return true;
  } catch {
    return false; // no PEM, or the key of another certificate
  }
}
