import { z } from 'zod';
import { installationOf, installationSettings } from '../../app/installation/installation-of.ts';
import { discardSecrets, resealInstallation } from '../../app/installation/reseal-installation.ts';
import type { ManagementAnswers } from '../../authorization/wire.ts';
import { count } from '../../kernel/text/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { confirm, yesOption } from '../input/confirm.ts';
import { optionsOf, textFlags } from '../input/setting-options.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import {
  listPages,
  managementHelp,
  managementOptions,
  openManagement,
} from '../server/management.ts';
import { renderTable } from '../terminal.ts';

/** `tradewind keys`: the keys that sign tokens, and the master key that seals stored secrets. */
export const keysCommand: Command = {
  operands: 'list | rotate | reseal',
  description: `list and rotate manage the keys with which a running server signs access tokens.\n${managementHelp}\n\nUse reseal after TRADEWIND_SECRET_KEY or the password of PostgreSQL has changed, when the server says at its start\nthat its stored secrets do not open. It reads the same settings as tradewind serve. The old value comes from\nTRADEWIND_PREVIOUS_SECRET_KEY, the password of PostgreSQL or the key file. Servers on PostgreSQL may keep running.\nIf the old value is lost, --discard discards the secrets and keeps the rest: see docs/operate.md.\n\n  tradewind keys list\n  TRADEWIND_PREVIOUS_SECRET_KEY=the-old-password tradewind keys reseal`,
  options: {
    ...managementOptions,
    ...optionsOf(installationSettings),
    discard: {
      type: 'boolean',
      help: 'Discard the sealed secrets if nothing opens them any more.',
    },
    yes: yesOption,
  },
  async run(input) {
    const [action = '', ...rest] = input.operands;
    const run = actions.get(action);
    if (run === undefined || rest.length > 0) throw misused();
    const answer = await run(input);
    if (answer === undefined) return 1;
    const { stdout } = input.terminal;
    stdout.write(input.flags.json ? `${JSON.stringify(answer.json)}\n` : answer.text);
    return 0;
  },
};

type Action = (
  input: CommandInput,
) => Promise<{ readonly json: object; readonly text: string } | undefined>;

type Answers = ManagementAnswers['keys'];

const listShape = {
  keys: z.array(
    z.looseObject({
      id: z.string(),
      algorithm: z.string(),
      state: z.string(),
      made: z.string(),
      retires: z.string(),
    }),
  ),
};
const rotatedShape = { id: z.string(), signs: z.string() };

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'list',
    async (input) => {
      const pages = await listPages<Answers['list']>(
        await openManagement(input),
        '/v1/keys',
        listShape,
      );
      const keys = pages.flatMap((page) => page.keys);
      const rows = keys.map(({ id, algorithm, state, made, retires }) =>
        [id, algorithm, state, made, retires].map(plainText),
      );
      const text = renderTable([['ID', 'ALGORITHM', 'STATE', 'MADE', 'RETIRES'], ...rows]);
      return { json: { keys }, text };
    },
  ],
  [
    'rotate',
    async (input) => {
      const client = await openManagement(input);
      const path = '/v1/keys:rotate';
      const json = await client.request<Answers['rotate']>('POST', path, rotatedShape, {
        body: {},
      });
      const text = `${plainText(json.id)} signs from ${json.signs} on. Tokens signed with the previous key stay valid until they expire.\n`;
      return { json, text };
    },
  ],
  ['reseal', reseal],
]);

async function reseal(input: CommandInput) {
  const { environment } = input.terminal;
  const installation = installationOf({ environment, flags: textFlags(input.flags) });
  if (input.flags.discard) {
    const effects =
      'This discards every sealed secret: access tokens become invalid, deliveries to webhooks are signed with new secrets until you rotate them, and people who signed in at an identity provider sign in again. Stop all servers of this database first. It cannot be undone.';
    if (!(await confirm(input, effects))) return undefined;
    const json = await discardSecrets(installation);
    const text = `Discarded: ${count(json.signingKeys, 'signing key')} and the secrets of ${count(json.webhooks, 'webhook')}. Rotate the latter with tradewind subscriptions rotate-secret.\n`;
    return { json, text };
  }
  const openedBy = await resealInstallation(
    installation,
    environment.TRADEWIND_PREVIOUS_SECRET_KEY || undefined,
  );
  const text =
    openedBy === 'already'
      ? 'Nothing to do: the stored secrets open with the current settings.\n'
      : `Resealed: the secrets opened with ${plainText(openedBy)} and are now sealed for the current settings.\n`;
  return { json: { openedBy }, text };
}

function misused(): UsageError {
  return new UsageError('Say what to do: keys list, keys rotate or keys reseal.');
}
