import { parseIpAddress, parseNetworks } from '../model/network.ts';
import { parseUrl } from '../text/url.ts';
import type { SettingKind } from './settings.ts';

export const text: SettingKind<string> = {
  rule: 'some text',
  parse: (given) => given,
};

export const path: SettingKind<string> = { ...text, rule: 'a path' };

export function textOfAtLeast(length: number): SettingKind<string> {
  return {
    rule: `at least ${length} characters`,
    parse: (given) => (given.length >= length ? given : undefined),
  };
}

export function wholeNumber(minimum: number, maximum: number): SettingKind<number> {
  return {
    rule: `a whole number from ${minimum} to ${maximum}`,
    parse: (given) => {
      if (!/^\d{1,15}$/.test(given)) return undefined;
      const value = Number(given);
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

export function oneOf<const Choice extends string>(...choices: Choice[]): SettingKind<Choice> {
  return {
    rule: `one of ${choices.join(', ')}`,
    parse: (given) => choices.find((choice) => choice === given),
  };
}

/** Items between commas, spaces around them ignored; an empty or repeated item breaks the rule. */
export function listOf<T>(item: SettingKind<T>, what = item.rule): SettingKind<readonly T[]> {
  return {
    rule: `a comma-separated list in which each item is ${what}, none of them twice`,
    parse: (given) => {
      const texts = given.split(',').map((part) => part.trim());
      if (new Set(texts).size !== texts.length) return undefined;
      const items = texts.map((part) => (part === '' ? undefined : item.parse(part)));
      // The check makes the cast hold: no item is undefined.
      return items.includes(undefined) ? undefined : (items as T[]);
    },
  };
}

/** An absolute URL of one of the schemes. Allows user names, passwords and fragments, since some schemes need them. */
export function url(...schemes: string[]): SettingKind<string> {
  return {
    rule: `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    parse: (given) => {
      const parsed = parseUrl(given);
      return parsed && schemes.includes(parsed.protocol.slice(0, -1)) && parsed.hostname !== ''
        ? given
        : undefined;
    },
  };
}

/** The bare address of a web server: scheme, host and port, given back without a trailing slash. */
export const webOrigin: SettingKind<string> = {
  rule: 'a URL of scheme, host and port only, such as https://quotes.example.com',
  parse: (given) => {
    const parsed = parseUrl(given);
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return undefined;
    return given.replace(/\/$/, '') === parsed.origin ? parsed.origin : undefined;
  },
};

const durationUnits = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time span in milliseconds, written with its unit: `500ms`, `1s`, `15m`, `24h`, `7d`. */
export const duration: SettingKind<number> = {
  rule: 'a time span above zero with its unit, such as 500ms, 1s, 15m, 24h or 7d',
  parse: (given) => {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(given);
    if (!match) return undefined;
    const unit = match[2] as 'ms' | keyof typeof durationUnits; // the pattern allows no other
    const value = Number(match[1]) * (unit === 'ms' ? 1 : durationUnits[unit]);
    return value > 0 ? value : undefined;
  },
  write: (value) => writeIn(durationUnits, value) ?? `${value}ms`,
};

/** A time span as {@link duration} reads it, no longer than `longest`, which is written the same way. */
export function durationUpTo(longest: string): SettingKind<number> {
  const most = duration.parse(longest) ?? 0;
  return {
    rule: `${duration.rule}, and at most ${longest}`,
    parse: (given) => {
      const value = duration.parse(given);
      return value !== undefined && value <= most ? value : undefined;
    },
    write: (value) => writeIn(durationUnits, value) ?? `${value}ms`,
  };
}

/** The value in the largest unit that divides it; the units are listed from the smallest. */
function writeIn(units: Readonly<Record<string, number>>, value: number): string | undefined {
  const fitting = Object.entries(units).findLast(([, size]) => value % size === 0);
  return fitting && `${value / fitting[1]}${fitting[0]}`;
}

const byteUnits = { KB: 1_000, MB: 1_000_000, GB: 1_000_000_000 } as const;

/** A number of bytes, written with its unit: `500KB`, `50MB`, `1GB`. */
export const byteSize: SettingKind<number> = {
  rule: 'a number of bytes above zero with its unit, such as 500KB, 50MB or 1GB',
  parse: (given) => {
    const match = /^(\d{1,6})(KB|MB|GB)$/.exec(given);
    if (!match) return undefined;
    const value = Number(match[1]) * byteUnits[match[2] as keyof typeof byteUnits]; // the pattern allows no other
    return value > 0 ? value : undefined;
  },
  write: (value) => writeIn(byteUnits, value) ?? String(value),
};

/** A host to listen on: an IP address or a name. */
export const listenHost: SettingKind<string> = {
  rule: 'an IP address or a host name, without scheme and port',
  parse: (given) =>
    parseIpAddress(given) !== undefined ||
    /^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9-]{1,63})*$/i.test(given)
      ? given
      : undefined,
};

/** A network in CIDR form, a single address, or the word `loopback`. */
export const network: SettingKind<string> = {
  rule: 'an IP address, a network such as 10.0.0.0/8, or the word loopback',
  parse: (given) => {
    try {
      return parseNetworks([given]) && given;
    } catch {
      return undefined; // `readSettings` describes the problem
    }
  },
};

/** `name=value` pairs between commas. */
export function namedValues(what: string): SettingKind<ReadonlyMap<string, string>> {
  return {
    rule: `a comma-separated list of name=${what}, each name in lower case, none of them twice`,
    parse: (given) => {
      const pairs = given.split(',').map((part) => /^([a-z][a-z0-9-]*)=(.+)$/.exec(part.trim()));
      const values = new Map<string, string>();
      for (const pair of pairs) {
        const [name, value] = [pair?.[1], pair?.[2]];
        if (name === undefined || value === undefined || values.has(name)) return undefined;
        values.set(name, value);
      }
      return values;
    },
  };
}
