import { authorizationSettings } from '../../authorization/index.ts';
import { eventsSettings } from '../../events/index.ts';
import type { Settings, SettingValues } from '../../kernel/config/setting.ts';
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
