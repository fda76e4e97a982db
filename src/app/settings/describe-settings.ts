import {
  isFamily,
  type SettingKind,
  type Settings,
  variableName,
} from '../../kernel/config/setting.ts';
import { redact } from '../../kernel/logging/redact.ts';
import { allSettings, type Config } from './all-settings.ts';

/** A setting as it is in force. */
export type SettingInForce = {
  readonly name: string;
  /** Absent if nothing is set and there is no default. For a secret it says only that it is set. */
  readonly value?: string;
  readonly isSecret: boolean;
  readonly meaning: string;
};

/** Every setting with its value, and of secrets whether they are set (K8). Values that may carry credentials inside are redacted. */
export function describeSettings(config: Config): readonly SettingInForce[] {
  const parts = Object.entries(allSettings) as [keyof typeof allSettings, Settings][]; // the keys are those of the object
  return parts.flatMap(([part, settings]) =>
    Object.entries(settings).map(([name, setting]) => {
      const value: unknown = config[part][name as keyof Config[typeof part]];
      const shown = setting.secret && isSet(value) ? 'set, not shown' : textOf(value, setting.kind);
      return {
        name: isFamily(setting) ? `${variableName(name)}_*` : variableName(name),
        ...(shown === undefined ? {} : { value: shown }),
        isSecret: setting.secret === true,
        meaning: setting.meaning,
      };
    }),
  );
}

function isSet(value: unknown): boolean {
  return value instanceof Map ? value.size > 0 : value !== undefined;
}

function textOf(value: unknown, { write }: SettingKind<unknown>): string | undefined {
  if (!isSet(value)) return undefined;
  const plain = value instanceof Map ? [...value].map(([key, inner]) => `${key}: ${inner}`) : value;
  const listed = Array.isArray(plain) ? plain.join(', ') : (write?.(plain) ?? String(plain));
  return String(redact(listed));
}
