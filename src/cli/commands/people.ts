import { z } from 'zod';
import type { ManagementAnswers } from '../../authorization/wire.ts';
import { count, normalizeText } from '../../kernel/text/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { confirm, yesOption } from '../input/confirm.ts';
import { checkOperands } from '../input/read-flags.ts';
import { UsageError } from '../input/usage-error.ts';
import { plainText } from '../plain-text.ts';
import type { EventsClient } from '../server/events-client.ts';
import {
  listPages,
  managementHelp,
  managementOptions,
  openManagement,
} from '../server/management.ts';
import { renderTable } from '../terminal.ts';

/** `tradewind people`: who can sign in at a server, and what they may do there. */
export const peopleCommand: Command = {
  operands: 'list | invite <username> | role <person> <role> | reset <person> | remove <person>',
  description: `${managementHelp}\nA person is named by username or id. Roles are owner, admin and member; only an owner manages owners.\n\n  tradewind people invite mia --role admin\n  tradewind people role mia member\n  tradewind people reset mia\n  tradewind people remove mia`,
  options: {
    ...managementOptions,
    role: {
      type: 'string',
      argument: '<role>',
      help: 'The role of the invited person. Default: member.',
    },
    yes: yesOption,
  },
  async run(input) {
    const [action = '', ...operands] = input.operands;
    const found = actions.get(action);
    if (found === undefined) throw misused();
    checkOperands(`people ${action}`, found.operands, operands);
    const client = await openManagement(input);
    const answer = await found.run(client, input, operands);
    if (answer === undefined) return 1;
    const { stdout } = input.terminal;
    stdout.write(input.flags.json ? `${JSON.stringify(answer.json)}\n` : answer.text);
    return 0;
  },
};

type Answer = { readonly json: object; readonly text: string };
type Action = {
  readonly operands: readonly string[];
  /** Returns `undefined` if the person declines. */
  run(
    client: EventsClient,
    input: CommandInput,
    operands: readonly string[],
  ): Promise<Answer | undefined>;
};

type Answers = ManagementAnswers['people'];

const path = '/v1/people';

const nameAndRole = { name: z.string(), role: z.string() };
const personShape = { ...nameAndRole, state: z.string() };
const listShape = {
  people: z.array(
    z.looseObject({
      ...personShape,
      id: z.string(),
      signsInBy: z.string(),
      sessions: z.number(),
      grants: z.number(),
    }),
  ),
};
const invitedShape = { ...nameAndRole, inviteUrl: z.string(), inviteExpires: z.string() };
const resetShape = { resetUrl: z.string(), resetExpires: z.string() };
const removedShape = { ended: z.looseObject({ sessions: z.number(), grants: z.number() }) };

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'list',
    {
      operands: [],
      async run(client) {
        const people = await listPeople(client);
        const rows = people.map(({ id, name, role, state, signsInBy, sessions, grants }) =>
          [name, role, state, signsInBy, String(sessions), String(grants), id].map(plainText),
        );
        const head = ['NAME', 'ROLE', 'STATE', 'SIGNS IN BY', 'SESSIONS', 'GRANTS', 'ID'];
        return { json: { people }, text: renderTable([head, ...rows]) };
      },
    },
  ],
  [
    'invite',
    {
      operands: ['<username>'],
      async run(client, { flags }, [username]) {
        const body = { username, role: readRole(String(flags.role ?? 'member')) };
        const json = await client.request<Answers['invite']>('POST', path, invitedShape, { body });
        const text = `Invited ${plainText(json.name)} as ${json.role}. Send them this link, which works once, until ${json.inviteExpires}:\n${plainText(json.inviteUrl)}\n`;
        return { json, text };
      },
    },
  ],
  [
    'role',
    {
      operands: ['<person>', '<role>'],
      async run(client, _, [name = '', given = '']) {
        const role = readRole(given);
        const { id, role: before } = await findPerson(client, name);
        const body = { role };
        const json = await client.request<Answers['patch']>('PATCH', `${path}/${id}`, personShape, {
          body,
        });
        const invited =
          json.state === 'invited' && json.role !== before
            ? ` Their invite link no longer works: make a new one with tradewind people reset ${plainText(json.name)}.`
            : '';
        return {
          json,
          text: `The role of ${plainText(json.name)} is ${json.role} now.${invited}\n`,
        };
      },
    },
  ],
  [
    'reset',
    {
      operands: ['<person>'],
      async run(client, _, [name = '']) {
        const { id } = await findPerson(client, name);
        const json = await client.request<Answers['resetPassword']>(
          'POST',
          `${path}/${id}:resetPassword`,
          resetShape,
          { body: {} },
        );
        const text = `Send this link to ${plainText(name)}; it works once until ${json.resetExpires}. The old password stays valid until the link is used.\n${plainText(json.resetUrl)}\n`;
        return { json, text };
      },
    },
  ],
  [
    'remove',
    {
      operands: ['<person>'],
      async run(client, input, [given = '']) {
        const { id, name, sessions, grants } = await findPerson(client, given);
        const effects = `This removes ${name}, ends ${count(sessions, 'session')} and revokes ${count(grants, 'grant')} with their tokens; subscriptions that depend on them are suspended. It cannot be undone.`;
        if (!(await confirm(input, effects))) return undefined;
        const json = await client.request<Answers['delete']>(
          'DELETE',
          `${path}/${id}`,
          removedShape,
        );
        const text = `Removed ${plainText(name)}: ${count(json.ended.sessions, 'session')} and ${count(json.ended.grants, 'grant')} ended.\n`;
        return { json: { removed: id, ...json }, text };
      },
    },
  ],
]);

async function listPeople(client: EventsClient) {
  const pages = await listPages<Answers['list']>(client, path, listShape);
  return pages.flatMap(({ people }) => people);
}

async function findPerson(client: EventsClient, given: string) {
  const people = await listPeople(client);
  const name = normalizeText(given, 'NFKC', 80).trim().toLowerCase();
  const found = people.find(({ username, id }) => username === name || id === given);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no person ${JSON.stringify(given)}: give a username or an id from tradewind people list.`,
  );
}

function readRole(role: string): string {
  if (['owner', 'admin', 'member'].includes(role)) return role;
  throw new UsageError(`There is no role ${JSON.stringify(role)}: use owner, admin or member.`);
}

function misused(): UsageError {
  return new UsageError(
    'Say what to do: people list, people invite <username>, people role <person> <role>, people reset <person> or people remove <person>.',
  );
}
