import { expect, it } from 'vitest';
import { vaultDirectory } from './vault-directory.ts';

it.each([
  [{ TRADEWIND_DATA_DIR: '/data', HOME: '/home/ada' }, 'linux', '/data/client'],
  [{ HOME: '/home/ada' }, 'linux', '/home/ada/.config/tradewind'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/config' }, 'linux', '/config/tradewind'],
  [{ HOME: '/Users/ada' }, 'darwin', '/Users/ada/Library/Application Support/tradewind'],
] as const)('for %j on %s is %s [C8]', (environment, platform, directory) => {
  expect(vaultDirectory(environment, platform)).toBe(directory);
});
