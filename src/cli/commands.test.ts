import { expect, it } from 'vitest';
import { runInProcess } from '../../tests/support/run-in-process.ts';

const scope = "--scope crm.read='Read the CRM'";

it.each([
  ['resources add', '<url> is missing: write tradewind resources add <url>.'],
  [
    'resources add https://a.example/mcp',
    `--scope is missing: write it as in tradewind resources add https://a.example/mcp ${scope}.`,
  ],
  ['resources list now', '"now" is one word too many: tradewind resources list takes only flags.'],
  ['resources show', 'Say what to do: resources list,'],
  ['people invite', '<username> is missing: write tradewind people invite <username>.'],
  ['people role mia', '<role> is missing: write tradewind people role <person> <role>.'],
  ['people reset mia now', '"now" is one word too many: tradewind people reset takes <person>.'],
  ['people', 'Say what to do: people list,'],
  ['subscriptions show', '<name> is missing: write tradewind subscriptions show <name>.'],
  ['subscriptions renew a b', '"b" is one word too many: tradewind subscriptions renew takes'],
  ['subscriptions', 'Say what to do: subscriptions list,'],
  [
    'applications add nowhere.json',
    'There is no file nowhere.json: add an application by its name, a pattern and event types, or by a JSON file.',
  ],
  ['applications add src', 'src cannot be read as an application in JSON: EISDIR'],
  ['completion', 'Name the shell: bash, zsh or fish.'],
  ['publish a.b', 'Give a type, a subject and the data as JSON, as in: tradewind publish crm.deal'],
  ['subscribe //a/b', 'Name a target and at least one event type, as in: tradewind subscribe //d'],
  [
    'subscribe //a/b a.b --ttl x',
    '--ttl x is not a whole number of at least 0: write it as in --ttl 86400.',
  ],
])('tradewind %s names what is missing or wrong [H52]', async (line, message) => {
  const environment = { TRADEWIND_TOKEN: 'a', TRADEWIND_PUBLIC_URL: 'http://127.0.0.1:1' };
  const { code, stderr } = await runInProcess(line.split(' '), { environment });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
