import { authorizationSettings } from '../../authorization/index.ts';
import { eventsSettings } from '../../events/index.ts';
import {
  isFamily,
  type SettingKind,
  type Settings,
  type SettingValues,
  variableName,
} from '../../kernel/process/settings.ts';
import { redact } from '../../kernel/telemetry/redact.ts';
import { swapSettings } from '../../swap/index.ts';
import type { TraceSettings } from './read-trace-settings.ts';
import { serverSettings } from './server-settings.ts';

/** Every setting of the product by the part that owns it. */
export const allSettings = {
  server: serverSettings,
  swap: swapSettings,
  authorization: authorizationSettings,
  events: eventsSettings,
} as const satisfies Record<string, Settings>;

export type Config = {
  readonly [Part in keyof typeof allSettings]: SettingValues<(typeof allSettings)[Part]>;
} & {
  /** Whether the environment names credentials for Google's libraries, or their emulator. */
  readonly hasPubsub: boolean;
  /** Where traces go; undefined if they are not wanted (T5). */
  readonly traces: TraceSettings | undefined;
};

/** A setting as it is in force. */
type SettingInForce = {
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
