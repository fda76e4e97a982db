import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { expect, test } from 'vitest';
import { builtInApplications } from '../applications/built-in-applications.ts';
import { sampleEvent } from '../applications/sample-event.ts';
import type { Application } from '../model/application.ts';
import { describeEventType, readArguments } from './event-types.ts';

const own = builtInApplications({ folders: ['reports'], servesChain: (id) => id === 1 });
const crm: Application = {
  name: 'crm',
  targets: [
    { pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won', 'crm.any.v1.changed'] },
    { pattern: '//crm/people/{person}', eventTypes: ['crm.any.v1.changed'] },
    { pattern: '//crm/{region}/days/{year}-{day}', eventTypes: ['crm.day.v1.over'] },
  ],
  scopes: [],
  batchTypes: {},
  identities: {},
  resourceData: 'onRequest',
  isBuiltIn: false,
};
const described = own.filter((one) => one.described !== undefined);
const allTypes = [...described, crm].flatMap((application) =>
  [...new Set(application.targets.flatMap(({ eventTypes }) => eventTypes))].map((type) => ({
    application,
    type,
  })),
);
const validator = new AjvJsonSchemaValidator();
const applicationOf = (type: string) =>
  allTypes.find((one) => one.type === type)?.application as Application;
const read = (type: string, given: Record<string, unknown>) =>
  readArguments({ application: applicationOf(type), type }, given);

const [tokenIn, tokenOut] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const pair = { chainId: 1, tokenIn, tokenOut };

test.each(allTypes)('$type has schemas that compile, open to what is added [M5, M7, M8]', (of) => {
  const { inputSchema, payloadSchema, delivery, ...told } = describeEventType(of);
  expect(told.name).toBe(of.type);
  expect(told.description.length).toBeGreaterThan(10);
  expect(delivery).toEqual(['webhook', 'push', 'poll']);
  expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(JSON.stringify(inputSchema)).not.toMatch(/oneOf|anyOf|allOf/);
  expect(JSON.stringify(payloadSchema)).not.toContain('"additionalProperties":false');
  validator.getValidator(inputSchema as never);
  const sample = sampleEvent(of.type, of);
  const data = { ...sample?.data, subject: sample?.subject, added: { later: true } };
  expect(validator.getValidator(payloadSchema as never)(data)).toMatchObject({ valid: true });
  const bare = validator.getValidator(payloadSchema as never)({ subject: '//a/b' });
  expect(bare.valid).toBe(of.application === crm);
});

test('arguments fill the target of a pair, and the options beside it, with their defaults [M7]', () => {
  expect(read('tradewind.swap.price.v1.moved', { ...pair, amount: '5' }).named).toEqual({
    targetResource: `//swap/chains/1/pairs/${tokenIn}-${tokenOut}`,
    options: { amount: '5', thresholdBps: 100, intervalSeconds: 0 },
  });
});

test.each([
  ['tradewind.swap.rpcs.v1.refreshed', {}, '//swap/chains/-'],
  ['tradewind.swap.rpcs.v1.refreshed', { chainId: 1 }, '//swap/chains/1'],
  ['tradewind.authorization.grant.v1.revoked', {}, '//authorization/clients/-'],
  ['tradewind.authorization.grant.v1.revoked', { userId: 'ann' }, '//authorization/users/ann'],
  [
    'tradewind.authorization.grant.v1.revoked',
    { clientId: 'https://a.b/c' },
    '//authorization/clients/https%3A%2F%2Fa.b%2Fc',
  ],
  ['tradewind.folder.file.v1.created', {}, '//folder/-'],
  ['tradewind.folder.file.v1.created', { folder: 'reports' }, '//folder/reports'],
  ['crm.deal.v1.won', {}, '//crm/deals/-'],
  ['crm.deal.v1.won', { deal: 'a/../b c' }, '//crm/deals/a%2F..%2Fb%20c'],
  ['crm.any.v1.changed', { person: 'p' }, '//crm/people/p'],
  ['crm.day.v1.over', { year: '2026', day: '11' }, '//crm/-/days/2026-11'],
])('%s with %j means %s [M7]', (type, given, target) => {
  expect(read(type, given).named?.targetResource).toBe(target);
});

test.each([
  ['tradewind.swap.price.v1.moved', { tokenIn, tokenOut }, 'arguments.chainId'],
  ['tradewind.swap.price.v1.moved', { ...pair, chainId: '1' }, 'arguments.chainId'],
  ['tradewind.swap.price.v1.moved', { ...pair, thresholdBps: 1.5 }, 'arguments.thresholdBps'],
  ['tradewind.swap.price.v1.moved', { ...pair, intervalSeconds: '9' }, 'arguments.intervalSeconds'],
  ['tradewind.swap.price.v1.moved', { ...pair, tokenIn: 'ETH' }, 'arguments.tokenIn'],
  ['tradewind.swap.price.v1.moved', { ...pair, more: 1 }, 'arguments.more'],
  ['tradewind.authorization.grant.v1.revoked', { clientId: 'a', userId: 'b' }, 'arguments'],
  ['tradewind.folder.file.v1.created', { folder: 'other' }, 'arguments.folder'],
  ['crm.deal.v1.won', { deal: '' }, 'arguments.deal'],
  ['crm.deal.v1.won', { deal: '\ud800' }, 'arguments'],
  ['crm.any.v1.changed', {}, 'arguments'],
  ['crm.any.v1.changed', { deal: 'd', person: 'p' }, 'arguments'],
  ['crm.day.v1.over', { year: '2026' }, 'arguments.day'],
])('%s refuses %j for %s [M7]', (type, given, field) => {
  expect(read(type, given)).toMatchObject({ violation: { field } });
});
