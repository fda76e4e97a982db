import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { firstOf, linkSignals, onAbort, orAborted } from './cancel.ts';
import type { Clock } from './clock.ts';
import { createDeadlines, orLate, TimedOut, withDeadline } from './deadline.ts';
import { callerHasLeft, onBehalfOf } from './presence.ts';
import { rememberAnswer, rememberAnswers } from './remembered.ts';
import { shareWork } from './shared-work.ts';

const never = new Promise<never>(() => {});
const reason = new Error('given up');
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('a wait with a signal', () => {
  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['orAborted', (signal) => orAborted(Promise.resolve(1), signal)],
    ['orAborted that fails', (signal) => orAborted(Promise.reject(reason), signal).catch(() => {})],
    ['firstOf', (signal) => firstOf([async () => 1, () => never], signal)],
    [
      'withDeadline',
      (signal) =>
        withDeadline({ clock: createFakeClock(), milliseconds: 1, signal }, async () => 1),
    ],
    [
      'withDeadline of many',
      (signal) => {
        const deadlines = createDeadlines(createFakeClock());
        return withDeadline({ deadlines, milliseconds: 1, signal }, async () => 1);
      },
    ],
    ['shareWork', (signal) => shareWork(async () => 1).join(signal)],
    [
      'linkSignals',
      async (signal) => {
        const linked = linkSignals(signal, undefined);
        expect(listenersOf(signal)).toBe(1);
        linked.release();
      },
    ],
  ])('leaves no listener behind: %s', async (_name, wait) => {
    const { signal } = new AbortController();
    for (let count = 0; count < 100; count += 1) await wait(signal);
    expect(listenersOf(signal)).toBe(0);
  });

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['orAborted', (signal) => orAborted(never, signal)],
    ['firstOf', (signal) => firstOf([() => never], signal)],
    [
      'withDeadline',
      (signal) => withDeadline({ clock: createFakeClock(), milliseconds: 1, signal }, () => never),
    ],
    ['shareWork', (signal) => shareWork(() => never).join(signal)],
  ])('ends with the reason of the signal, fired before or meanwhile: %s', async (_name, wait) => {
    await expect(wait(AbortSignal.abort(reason))).rejects.toBe(reason);
    const giveUp = new AbortController();
    const waiting = wait(giveUp.signal);
    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(listenersOf(giveUp.signal)).toBe(0);
  });

  it('calls back at once for a signal that has fired, and never after it was told to stop', () => {
    const heard: string[] = [];
    onAbort(AbortSignal.abort(), () => heard.push('fired before'));
    const controller = new AbortController();
    onAbort(controller.signal, () => heard.push('stopped'))();
    controller.abort();
    expect(heard).toEqual(['fired before']);
  });
});

describe('a deadline', () => {
  it.each([
    ['alone', (clock: Clock) => ({ clock })],
    ['among others', (clock: Clock) => ({ deadlines: createDeadlines(clock) })],
  ])('ends work that heeds its signal, and waits for none that ignores it: %s', async (_, by) => {
    const clock = createFakeClock();
    const given = Promise.withResolvers<AbortSignal>();
    const ended = withDeadline({ ...by(clock), milliseconds: 100 }, (signal) => {
      given.resolve(signal);
      return never;
    });
    await clock.whenAsleep();
    clock.advance(100);
    await expect(ended).rejects.toBeInstanceOf(TimedOut);
    expect((await given.promise).reason).toBeInstanceOf(TimedOut);
  });

  it('gives the late answer only after the deadline', async () => {
    const clock = createFakeClock();
    const late = () => 'late';
    const quick = orLate(Promise.resolve('quick'), { clock, milliseconds: 100, late });
    expect(await quick).toBe('quick');
    const waiting = orLate(never, { clock, milliseconds: 100, late });
    await clock.whenAsleep();
    clock.advance(100);
    expect(await waiting).toBe('late');
  });
});

describe('the first of several', () => {
  it('ends the others, also where it fails', async () => {
    const signals: AbortSignal[] = [];
    const lose = (signal: AbortSignal) => {
      signals.push(signal);
      return never;
    };
    expect(await firstOf<unknown>([lose, async () => 'won'])).toBe('won');
    await expect(firstOf([lose, () => Promise.reject(reason)])).rejects.toBe(reason);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('shared work', () => {
  it('continues while one caller waits, and is aborted when the last has left', async () => {
    let worked: AbortSignal | undefined;
    const shared = shareWork((signal) => {
      worked = signal;
      return never;
    });
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [shared.join(one.signal), shared.join(other.signal)];
    one.abort(reason);
    await expect(waiting[0]).rejects.toBe(reason);
    expect([worked?.aborted, shared.isAbandoned]).toEqual([false, false]);
    other.abort(reason);
    await expect(waiting[1]).rejects.toBe(reason);
    expect([worked?.aborted, shared.isAbandoned]).toEqual([true, true]);
  });

  it('keeps its result for those who come later', async () => {
    const shared = shareWork(async () => 'done');
    expect(await shared.join()).toBe('done');
    expect(await shared.join()).toBe('done');
    expect(shared.isAbandoned).toBe(false);
  });
});

describe('work that several wait for', () => {
  const clock = createFakeClock();
  const ask = async () => callerHasLeft()();
  it.each<[string, () => Promise<boolean>]>([
    ['shareWork', () => shareWork(ask).join()],
    ['rememberAnswer', () => rememberAnswer({ clock, ask }).get()],
    [
      'rememberAnswers',
      () => rememberAnswers<boolean>({ keptFor: 1, most: 1, clock }).get('a', ask),
    ],
  ])('is done for all, though the first of them has left: %s [N9]', async (_name, work) => {
    const asGone = <T>(asked: () => T) => onBehalfOf(() => true, asked);
    expect(await asGone(ask)).toBe(true);
    expect(await asGone(work)).toBe(false);
  });

  /** Files that keep promises whose work does not depend on a caller. */
  const exempt = new Set([
    'src/kernel/database/postgres/postgres-listener.ts', // over a connection of its own
    'src/kernel/work/bring-events.ts', // one after another, each for itself
    'src/authorization/people/accounts/failure-limit.ts', // the same
    'src/events/delivery/endpoints/pubsub-endpoint.ts', // loads a library
    'src/swap/chain/json-rpc/ask-endpoints.ts', // within one question
    'src/swap/quote/search/search-deep-enough.ts', // within one search
    'src/console/create-console-mount.ts', // renders from memory
    'src/kernel/wait/turns.ts', // a turn of the event loop does no work for anybody
  ]);
  it('is not shared in any other way where requests are served [N9]', async () => {
    const strays: string[] = [];
    const keptPromise = /\blet \w+:[^;=()]*\bPromise<|Map<[^;=\n]*\bPromise</;
    const rooms = 'src/{app,authorization/{server,guard},console,context,events,kernel,swap}';
    for await (const path of glob(`${rooms}/**/*.ts`)) {
      if (/\.(?:test|contract)\.ts$|\/browser\//.test(path) || exempt.has(path)) continue;
      const text = readFileSync(path, 'utf8');
      if (keptPromise.test(text) && !text.includes('onBehalfOfAll(')) strays.push(path);
    }
    expect(strays).toEqual([]);
  });
});

it('only kernel/wait/cancel listens to abort signals or combines them', async () => {
  const strays: string[] = [];
  const handMade = /addEventListener\('abort'|AbortSignal\.any\(/;
  for await (const path of glob('src/**/*.ts')) {
    if (/\.(?:test|contract)\.ts$|^src\/kernel\/wait\/cancel\.ts$/.test(path)) continue;
    if (handMade.test(readFileSync(path, 'utf8'))) strays.push(path);
  }
  expect(strays).toEqual([]);
});
