/** A kind of value: the rule in words, and a parser that returns `undefined` if the rule is broken. */
export type SettingKind<T> = {
  /** Completes the sentence "… must be …". */
  readonly rule: string;
  parse(text: string): T | undefined;
  /** A value as an operator would write it, where that is not its plain text. */
  write?(value: T): string;
};

/** One setting: what it means to an operator, its kind, and the text used when it is not set. */
export type Setting<T, Default extends string | undefined = string | undefined> = {
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
export type SettingFamily<Key, T> = {
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
