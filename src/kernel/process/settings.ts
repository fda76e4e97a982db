/** Where values come from: a flag, without its dashes, overrides the variable of the same name. */
export type SettingSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, string | undefined>>;
};

type SettingsReading<S extends Settings> = {
  /** If a given value breaks its rule, the default is used. */
  readonly values: SettingValues<S>;
  /** One line each: the variable or flag, the value unless it is secret, the rule, a way out. */
  readonly problems: readonly string[];
};

/**
 * Reads settings from flags and environment and reports every broken rule at once. An empty variable
 * counts as not set. Does not check rules between settings: see `app/settings/load-config.ts`.
 */
export function readSettings<S extends Settings>(
  settings: S,
  sources: SettingSources,
): SettingsReading<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    if (isFamily(setting)) {
      values[name] = readFamily(name, setting, { sources, problems });
      continue;
    }
    const source = findValue(name, sources);
    const value = source && setting.kind.parse(source.text);
    if (source && value === undefined) problems.push(describeProblem(source, setting));
    values[name] = value ?? (setting.default && setting.kind.parse(setting.default));
  }
  // Each value was made by the kind of its own setting, which is what the mapped type says.
  return { values: values as SettingValues<S>, problems };
}

type Source = { readonly shownAs: string; readonly assignment: string; readonly text: string };

function findValue(name: string, sources: SettingSources): Source | undefined {
  const flag = flagName(name);
  const variable = variableName(name);
  return (
    fromFlag(flag, sources.flags[flag]) ?? fromVariable(variable, sources.environment[variable])
  );
}

function fromFlag(flag: string, text: string | undefined): Source | undefined {
  if (text === undefined) return undefined;
  return { shownAs: `--${flag}`, assignment: `--${flag} `, text };
}

function fromVariable(variable: string, text: string | undefined): Source | undefined {
  return text ? { shownAs: variable, assignment: `${variable}=`, text } : undefined;
}

function describeProblem(
  source: Source,
  setting: Setting<unknown> | SettingFamily<unknown, unknown>,
): string {
  const value = setting.secret ? '(a secret value)' : JSON.stringify(source.text);
  return `${source.shownAs} is ${value} but must be ${setting.kind.rule}; for example ${source.assignment}${setting.example}`;
}

function readFamily(
  name: string,
  family: SettingFamily<unknown, unknown>,
  to: { sources: SettingSources; problems: string[] },
): ReadonlyMap<unknown, unknown> {
  const members = new Map<unknown, unknown>();
  for (const { suffix, source } of findMembers(name, to.sources)) {
    const key = family.suffix.kind.parse(suffix);
    const value = family.kind.parse(source.text);
    if (key === undefined) {
      to.problems.push(
        `${source.shownAs} ends in ${JSON.stringify(suffix)}, but the ${family.suffix.name} there must be ${family.suffix.kind.rule}; for example ${variableName(name)}_1=${family.example}`,
      );
    } else if (value === undefined) to.problems.push(describeProblem(source, family));
    else members.set(key, value);
  }
  return members;
}

/** Members from the environment, then those from flags, so that a flag replaces its variable. */
function findMembers(name: string, sources: SettingSources) {
  const find = (
    prefix: string,
    from: SettingSources['flags'],
    toSource: (name: string, text: string | undefined) => Source | undefined,
  ) =>
    Object.entries(from).flatMap(([member, text]) => {
      const source = member.startsWith(prefix) ? toSource(member, text) : undefined;
      return source ? [{ suffix: member.slice(prefix.length), source }] : [];
    });
  return [
    ...find(`${variableName(name)}_`, sources.environment, fromVariable),
    ...find(`${flagName(name)}-`, sources.flags, fromFlag),
  ];
}

/** A kind of value: the rule in words, and a parser that returns `undefined` if the rule is broken. */
export type SettingKind<T> = {
  /** Completes the sentence "… must be …". */
  readonly rule: string;
  parse(text: string): T | undefined;
  /** A value as an operator would write it, where that is not its plain text. */
  write?(value: T): string;
};

/** One setting: what it means to an operator, its kind, and the text used when it is not set. */
type Setting<T, Default extends string | undefined = string | undefined> = {
  readonly kind: SettingKind<T>;
  readonly meaning: string;
  readonly example: string;
  readonly default: Default;
  /** What the configuration page says instead of a default that depends on other settings. */
  readonly defaultInWords?: string;
  /** Never repeated in a message, a log or a page. */
  readonly secret?: true;
};

/**
 * A family of settings that differ in the end of their names, such as one list of endpoints per chain:
 * `TRADEWIND_RPC_1`, `TRADEWIND_RPC_8453`.
 */
type SettingFamily<Key, T> = {
  readonly suffix: { readonly name: string; readonly kind: SettingKind<Key> };
  readonly kind: SettingKind<T>;
  readonly meaning: string;
  readonly example: string;
  readonly secret?: true;
};

/** The settings of one part of the product, by their names in camel case. */
export type Settings = Readonly<Record<string, Setting<unknown> | SettingFamily<unknown, unknown>>>;

/** The values of {@link Settings}: always defined if there is a default, else perhaps undefined. */
export type SettingValues<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends SettingFamily<infer Key, infer T>
    ? ReadonlyMap<Key, T>
    : S[Name] extends Setting<infer T, infer Default>
      ? Default extends string
        ? T
        : T | undefined
      : never;
};

/** `webhookAllow` is `TRADEWIND_WEBHOOK_ALLOW` in the environment. */
export function variableName(settingName: string): string {
  return `TRADEWIND_${settingName.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `webhookAllow` is `--webhook-allow` on the command line. */
export function flagName(settingName: string): string {
  return settingName.replace(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

export function isFamily(
  setting: Setting<unknown> | SettingFamily<unknown, unknown>,
): setting is SettingFamily<unknown, unknown> {
  return 'suffix' in setting;
}
