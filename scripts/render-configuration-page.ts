import { allSettings } from '../src/app/settings/all-settings.ts';
import { flagName, isFamily, type Settings, variableName } from '../src/kernel/process/settings.ts';

const titles = {
  server: 'The server',
  swap: 'Swap quotes',
  authorization: 'Authorization',
  events: 'Change notifications',
} as const satisfies Record<keyof typeof allSettings, string>;

/** The page of all settings, from their declarations. */
export function renderConfigurationPage(): string {
  return [
    '# Configuration',
    '',
    '<!-- Made by npm run generate from the settings in the code; edit them there. -->',
    '',
    'Every setting is an environment variable and a flag of `tradewind serve` with the same meaning; a flag',
    'overrides its variable. An empty variable counts as not set. At the start all settings are checked at once:',
    'each wrong one is named with its value, its rule and an example, and the server exits with code 2.',
    '',
    ...Object.entries(titles).flatMap(([part, title]) => [
      `## ${title}`,
      '',
      '| Variable | Flag | Default | Meaning |',
      '|---|---|---|---|',
      ...Object.entries<Settings[string]>(allSettings[part as keyof typeof titles]).map(renderRow),
      '',
    ]),
  ].join('\n');
}

function renderRow([name, setting]: [string, Settings[string]]): string {
  const suffix = isFamily(setting) ? `<${setting.suffix.name}>` : undefined;
  const standing = isFamily(setting)
    ? '–'
    : (setting.defaultInWords ?? (setting.default === undefined ? '–' : `\`${setting.default}\``));
  const cells = [
    `\`${variableName(name)}${suffix ? `_${suffix}` : ''}\``,
    `\`--${flagName(name)}${suffix ? `-${suffix}` : ''}\``,
    standing,
    `${setting.meaning} Must be ${setting.kind.rule}.${setting.secret ? ' Secret: never logged.' : ''}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
