import { z } from 'zod';
import type { ManagementAnswers } from '../../authorization/wire.ts';
import { count } from '../../kernel/text/text.ts';
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

/** `tradewind resources`: lists, adds and removes the servers that tokens may be issued for. */
export const resourcesCommand: Command = {
  operands: 'list | add <url> | remove <url or id>',
  description: `${managementHelp}\nAn added server has scopes of its own. The consent page describes them in the words that you give here.\nPut the guard in front of the server: see docs/guard.md.\n\n  tradewind resources add https://crm.example.com/mcp --name CRM --scope crm.read='Read the CRM'\n  tradewind resources list\n  tradewind resources remove https://crm.example.com/mcp`,
  options: {
    ...managementOptions,
    name: {
      type: 'string',
      argument: '<name>',
      help: 'The name that people see. Default: the host of the URL.',
    },
    scope: {
      type: 'string',
      multiple: true,
      argument: '<name=words>',
      help: 'A scope and what it allows, in words for people; once for each scope.',
    },
    yes: yesOption,
  },
  async run(input) {
    const [action = '', ...operands] = input.operands;
    const run = actions.get(action);
    if (run === undefined) throw misused();
    checkOperands(`resources ${action}`, takenBy[action] ?? [], operands);
    const [given = ''] = operands;
    if (action === 'add' && input.flags.scope === undefined) throw withoutScope(given);
    const answer = await run(await openManagement(input), input, given);
    if (answer === undefined) return 1;
    const { stdout } = input.terminal;
    stdout.write(input.flags.json ? `${JSON.stringify(answer.json)}\n` : answer.text);
    return 0;
  },
};

type Action = (
  client: EventsClient,
  input: CommandInput,
  given: string,
) => Promise<{ readonly json: object; readonly text: string } | undefined>;

type Answers = ManagementAnswers['resources'];

const path = '/v1/resources';

const resourceShape = {
  id: z.string(),
  name: z.string(),
  resource: z.string(),
  scopes: z.array(z.looseObject({ name: z.string() })),
  grants: z.number().optional(),
};
const listShape = { resources: z.array(z.looseObject(resourceShape)) };
const removedShape = { ended: z.looseObject({ grants: z.number() }) };

const takenBy: Readonly<Record<string, readonly string[]>> = {
  add: ['<url>'],
  remove: ['<url or id>'],
};

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'list',
    async (client) => {
      const resources = await listResources(client);
      const rows = resources.map(({ id, name, resource, scopes }) =>
        [name, resource, scopes.map((scope) => scope.name).join(' '), id].map(plainText),
      );
      const text =
        rows.length === 0
          ? 'No server was added yet: add one with tradewind resources add <url> --scope name=words.\n'
          : renderTable([['NAME', 'RESOURCE', 'SCOPES', 'ID'], ...rows]);
      return { json: { resources }, text };
    },
  ],
  [
    'add',
    async (client, { flags }, resource) => {
      const scopes = [flags.scope ?? []].flat().map((text) => readScope(String(text)));
      const { name } = flags;
      const body = { resource, scopes, ...(typeof name === 'string' ? { name } : {}) };
      const json = await client.request<Answers['create']>('POST', path, resourceShape, { body });
      const names = json.scopes.map((scope) => scope.name).join(', ');
      const text = `Added ${plainText(json.name)}: tokens for ${plainText(json.resource)} may have ${plainText(names)}.\n`;
      return { json, text };
    },
  ],
  [
    'remove',
    async (client, input, given) => {
      const resources = await listResources(client);
      const wanted = given.replace(/\/$/, '');
      const found = resources.find(({ id, resource }) => id === given || resource === wanted);
      if (found === undefined) throw unknown(given);
      const { id, name } = found;
      const { grants = 0 } = await client.request<Answers['get']>(
        'GET',
        `${path}/${id}`,
        resourceShape,
      );
      const effects = `This removes ${name} with its ${count(found.scopes.length, 'scope')} and revokes ${count(grants, 'grant')} with their tokens. If you add the server again, people must allow access again.`;
      if (!(await confirm(input, effects))) return undefined;
      const json = await client.request<Answers['delete']>('DELETE', `${path}/${id}`, removedShape);
      const text = `Removed ${plainText(name)}: ${count(json.ended.grants, 'grant')} ended.\n`;
      return { json: { removed: id, ...json }, text };
    },
  ],
]);

async function listResources(client: EventsClient) {
  const pages = await listPages<Answers['list']>(client, path, listShape);
  return pages.flatMap(({ resources }) => resources);
}

function readScope(text: string): { name: string; description: string } {
  const equals = text.indexOf('=');
  if (equals > 0) return { name: text.slice(0, equals), description: text.slice(equals + 1) };
  throw new UsageError(
    `The scope ${JSON.stringify(text)} has no description: write it as in --scope crm.read='Read the CRM'.`,
  );
}

function withoutScope(url: string): UsageError {
  return new UsageError(
    `--scope is missing: write it as in tradewind resources add ${url} --scope crm.read='Read the CRM'.`,
  );
}

function unknown(given: string): UsageError {
  return new UsageError(
    `There is no added server ${JSON.stringify(given)}: see tradewind resources list.`,
  );
}

function misused(): UsageError {
  return new UsageError(
    "Say what to do: resources list, resources add <url> --scope crm.read='Read the CRM', or resources remove <url or id>.",
  );
}
