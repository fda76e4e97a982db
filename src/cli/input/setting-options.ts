import { allSettings } from '../../app/settings/all-settings.ts';
import { flagName, isFamily, type Settings, variableName } from '../../kernel/process/settings.ts';
import type { CommandOption, Flags } from '../command.ts';

/** Every setting of the server as a flag, with the same meaning and default. */
export function settingOptions(): Record<string, CommandOption> {
  return Object.assign({}, ...Object.values<Settings>(allSettings).map(optionsOf));
}

/** These settings as flags. */
export function optionsOf(settings: Settings): Record<string, CommandOption> {
  return Object.fromEntries(Object.entries(settings).map(toOption));
}

function toOption([name, setting]: [string, Settings[string]]): [string, CommandOption] {
  const suffix = isFamily(setting) ? `<${setting.suffix.name}>` : undefined;
  const standing = isFamily(setting) ? undefined : (setting.defaultInWords ?? setting.default);
  return [
    `${flagName(name)}${suffix ? `-${suffix}` : ''}`,
    {
      type: 'string',
      argument: '<value>',
      help: [
        setting.meaning,
        `Must be ${setting.kind.rule}.`,
        standing === undefined ? '' : `Default: ${standing}.`,
        `Or ${variableName(name)}${suffix ? `_${suffix}` : ''}.`,
      ]
        .filter(Boolean)
        .join(' '),
    },
  ];
}

/** The flags that carry text, as the settings reader takes them. */
export function textFlags(flags: Flags): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
