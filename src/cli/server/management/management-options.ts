import { signInOptions } from '../client-options.ts';
import { serverOption } from '../server-option.ts';

const { scope: _scope, ...signInOnly } = signInOptions;

/** The flags of commands that manage a server. */
export const managementOptions = {
  ...signInOnly,
  'data-dir': {
    type: 'string',
    argument: '<path>',
    help: 'The data directory of a server on this machine. Default: ./data. Or TRADEWIND_DATA_DIR.',
  },
  server: serverOption,
  json: { type: 'boolean', help: 'Print as JSON.' },
} as const;

/** How these commands authenticate, as text for their help. */
export const managementHelp =
  'The command uses the access token in TRADEWIND_TOKEN if it is set. Without it, a user who can read the data directory\nof the server needs no sign-in; everyone else signs in as an admin.';
