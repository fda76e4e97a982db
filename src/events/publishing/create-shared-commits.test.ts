import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { onBehalfOf } from '../../kernel/wait/presence.ts';
import { eventKey } from '../store/queue/queue-store.ts';
import { createSharedCommits } from './create-shared-commits.ts';
import type { AddressedEvent } from './index-matches.ts';

type Commit = { readonly ids: string[]; succeed(): void; fail(error: Error): void };

function open() {
  const clock = createFakeClock();
  const commits: Commit[] = [];
  const publish = createSharedCommits((events: readonly AddressedEvent[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, unknown>>();
    commits.push({
      ids: events.map(({ event }) => event.id),
      succeed: () => resolve(new Map(events.map(({ event }) => [eventKey(event), 1]))),
      fail: reject,
    });
    return promise;
  }, clock);
  const call = (id: string) => {
    const event = { id, source: '//shop', type: 'made', subject: 'x', occurredAt: 0, data: {} };
    return publish([{ event, forms: [] }]);
  };
  return { clock, commits, call, ids: () => commits.map(({ ids }) => ids) };
}

const accepted = { accepted: 1, duplicates: 0 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls that arrive during a commit share the next one', async () => {
  const { commits, call, ids } = open();
  const calls = ['1', '2', '3'].map(call);
  expect(ids()).toEqual([['1']]);
  commits[0]?.succeed();
  expect(await calls[0]).toEqual(accepted);
  await turn();
  expect(ids()).toEqual([['1'], ['2', '3']]);
  commits[1]?.fail(new Error('no room'));
  await expect(calls[1]).rejects.toThrow('no room');
  await expect(calls[2]).rejects.toThrow('no room');
});

test('a commit that hangs holds up the others for a second, and not for ever [D1]', async () => {
  const { clock, commits, call, ids } = open();
  const [hung, next] = [call('hangs'), call('2')];
  await turn();
  expect(ids()).toEqual([['hangs']]);
  clock.advance(1_000);
  await turn();
  expect(ids()).toEqual([['hangs'], ['2']]);
  commits[1]?.succeed();
  expect(await next).toEqual(accepted);
  commits[0]?.fail(new Error('given up'));
  await expect(hung).rejects.toThrow('given up');
});

test('a call whose caller left before its commit began is dropped [D1]', async () => {
  const { commits, call, ids } = open();
  let isGone = false;
  const first = call('1');
  const left = onBehalfOf(
    () => isGone,
    () => call('of who left'),
  );
  const third = call('3');
  isGone = true;
  commits[0]?.succeed();
  await first;
  await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(ids()).toEqual([['1'], ['3']]);
  commits[1]?.succeed();
  expect(await third).toEqual(accepted);
});

test('a call that has waited ten seconds is refused while the maximum number of commits hang [D1]', async () => {
  const { clock, commits, call, ids } = open();
  const hung = ['1', '2', '3', '4'];
  const calls = [];
  for (const id of hung) {
    calls.push(call(id).catch(() => {}));
    clock.advance(1_000);
    await turn();
  }
  const waiting = call('5');
  clock.advance(11_000);
  await turn();
  expect(ids()).toEqual(hung.map((id) => [id]));
  for (const commit of commits) commit.fail(new Error('given up'));
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await Promise.all(calls);
  const later = call('6');
  await turn();
  expect(ids().at(-1)).toEqual(['6']);
  commits.at(-1)?.succeed();
  expect(await later).toEqual(accepted);
});
