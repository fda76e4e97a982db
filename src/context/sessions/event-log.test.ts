import { expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { contextLimits } from '../limits.ts';
import { createEventLog } from './event-log.ts';

function openLog() {
  const clock = createFakeClock();
  const log = createEventLog({ process: 'here', clock, missedNotifications: async () => [] });
  const store = (streamId: string, id: number) =>
    log.storeEvent(streamId, { jsonrpc: '2.0', id, result: {} });
  const handed: string[] = [];
  const follow = (streamId: string) => log.follow(streamId, () => handed.push(streamId));
  return { clock, store, follow, handed };
}

it('follows the streams it has had, and no others [N5]', async () => {
  const { store, follow, handed } = openLog();
  await store('known', 1);
  expect(follow('known')).toBe(true);
  expect(follow('invented')).toBe(false);
  await store('known', 2);
  await store('invented', 3);
  expect(handed).toEqual(['known', 'known']);
});

it('follows a stream for at most 30 s after the request [N5]', async () => {
  const { clock, store, follow, handed } = openLog();
  await store('known', 1);
  follow('known');
  clock.advance(30_001);
  await store('known', 2);
  expect(handed).toEqual(['known']);
});

it('remembers a limited number of streams, and forgets the oldest [N5]', async () => {
  const { store, follow } = openLog();
  for (let n = 0; n <= contextLimits.sessionStreams.value; n += 1) await store(`stream ${n}`, n);
  expect(follow('stream 0')).toBe(false);
  expect(follow('stream 1')).toBe(true);
});
