import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createCalls } from './calls.ts';

function open(late?: number) {
  const clock = createFakeClock();
  const told: string[] = [];
  const tell = (what: string) => () => void told.push(what);
  const calls = createCalls<string>({
    clock,
    onBusy: tell('busy'),
    onIdle: tell('idle'),
    ...(late !== undefined && { late: { after: late, end: tell('late') } }),
  });
  const sent: number[] = [];
  const ask = (signal?: AbortSignal) =>
    calls.ask((id) => sent.push(id), { signal, abandon: (id) => told.push(`left ${id}`) });
  return { clock, told, calls, sent, ask };
}

test('each call gets the answer to its id, in whatever order they come [Y13]', async () => {
  const { told, calls, sent, ask } = open();
  const [first, second] = [ask(), ask()];
  expect(calls.size).toBe(2);
  calls.answer(sent[1]!, 'second');
  expect(await second).toBe('second');
  calls.refuse(sent[0]!, new Error('no'));
  await expect(first).rejects.toThrow('no');
  calls.answer(sent[0]!, 'too late');
  expect(told).toEqual(['busy', 'idle']);
});

test('the end of the other side fails all calls, and those after it are asked again [Y13]', async () => {
  const { calls, sent, ask } = open();
  const failing = [ask(), ask()];
  const settled = calls.settled();
  calls.refuseAll(new Error('gone'));
  for (const call of failing) await expect(call).rejects.toThrow('gone');
  await settled;
  const next = ask();
  calls.answer(sent[2]!, 'here');
  expect(await next).toBe('here');
});

test('a caller who leaves is answered at once, and the other side is told [Y13]', async () => {
  const { told, calls, ask } = open();
  const caller = new AbortController();
  const leaving = ask(caller.signal);
  caller.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  expect(told).toEqual(['busy', 'left 1', 'idle']);
  await expect(ask(caller.signal)).rejects.toThrow('left');
  expect([calls.size, getEventListeners(caller.signal, 'abort').length]).toEqual([0, 0]);
});

test('what takes too long is told, and only that [Y13]', async () => {
  const { clock, told, calls, sent, ask } = open(1_000);
  const quick = ask();
  calls.answer(sent[0]!, 'done');
  await quick;
  const slow = ask();
  await clock.whenAsleep();
  clock.advance(1_000);
  await clock.turn();
  expect(told).toEqual(['busy', 'idle', 'busy', 'late']);
  calls.refuseAll(new Error('ended'));
  await expect(slow).rejects.toThrow('ended');
});
