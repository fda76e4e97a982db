import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { indexOperations } from './index-operations.ts';
import type { Operation } from './operation.ts';

function declare(id: string, method: Operation['method'], path: Operation['path']): Operation {
  const rest = { summary: '', description: '', answer: {}, scopes: [], errors: {} };
  return { id, method, path, parameters: z.object({}), ...rest };
}

const at = indexOperations([
  declare('quote', 'GET', '/v1/swap/{chainId}'),
  declare('examples', 'GET', '/v1/swap/examples'),
  declare('list', 'GET', '/v1/subscriptions'),
  declare('create', 'POST', '/v1/subscriptions'),
  declare('get', 'GET', '/v1/{name=subscriptions/*}'),
  declare('reactivate', 'POST', '/v1/{name=subscriptions/*}:reactivate'),
  declare('deliveries', 'GET', '/v1/{parent=subscriptions/*}/deliveries'),
  declare('operation', 'GET', '/v1/{name=operations/**}'),
  declare('topic', 'GET', '/v1/{topic=projects/*/topics/*}:listen'),
]);

describe('an index of operations', () => {
  it.each([
    ['/v1/swap/1', 'quote', { chainId: '1' }],
    ['/v1/swap/examples', 'examples', {}],
    ['/v1/subscriptions', 'list create', {}],
    ['/v1/subscriptions/a', 'get', { name: 'subscriptions/a' }],
    ['/v1/subscriptions/a%2Fb', 'get', { name: 'subscriptions/a/b' }],
    ['/v1/subscriptions/a:reactivate', 'reactivate', { name: 'subscriptions/a' }],
    ['/v1/subscriptions/a/deliveries', 'deliveries', { parent: 'subscriptions/a' }],
    ['/v1/operations/a/b/c', 'operation', { name: 'operations/a/b/c' }],
    ['/v1/projects/p/topics/t:listen', 'topic', { topic: 'projects/p/topics/t' }],
  ])('finds what is at %s', (path, ids, variables) => {
    const found = at(path);
    expect(found.map(({ operation }) => operation.id).join(' ')).toBe(ids);
    expect(found[0]?.variables).toEqual(variables);
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/subscriptions/',
    '/v1/subscriptions//deliveries',
    '/v1/subscriptions/a:other',
    '/v1/subscriptions/%zz',
    '/v1/subscriptions/%00',
    '/v1/operations',
    '/v1/operations/',
    '/v1/projects/p/topics/t',
    '/other',
  ])('finds nothing at %s', (path) => {
    expect(at(path)).toEqual([]);
  });
});
