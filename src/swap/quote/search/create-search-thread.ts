import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createCalls } from '../../../kernel/wait/calls.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createDeadlines, type Deadline } from '../../../kernel/wait/deadline.ts';
import { createQueue } from '../../../kernel/wait/queue.ts';
import { swapLimits } from '../../limits.ts';
import type { PoolState } from '../../pools/pool.ts';
import { chooseRoute, type RoutedChoice, type RouteQuestion } from './choose-route.ts';
import {
  receiveChoice,
  type SearchAnswer,
  type SearchMessage,
  type SentPool,
} from './search-messages.ts';

/** Beside this file, as source or compiled like it. */
const entry = new URL(`search-thread${extname(import.meta.url)}`, import.meta.url);

/** A thread holds some 40 MB, and to start one takes longer than many searches. */
const idleFor = 60_000;

/** Copying a state takes up to two microseconds a tick, and a pool may have hundreds; a message takes as long as some of them. */
const statesAtOnce = 5;
/** After so many milliseconds of copying the serving thread yields to other work. */
const longestTurn = 4;

/** Searches on a thread of its own. */
export type SearchThread = {
  /** What `chooseRoute` gives. A search whose signal fires before its turn is not run. */
  choose(question: RouteQuestion, signal: AbortSignal): Promise<RoutedChoice | undefined>;
  /** Ends the thread. Later searches run on the calling thread. */
  close(): Promise<void>;
};

/**
 * Runs searches one after another on one thread, which starts with the first and ends after a minute without any, or
 * at `close`. If it fails, the problem is reported and the search runs on the calling thread: a quote that is late
 * is better than none.
 */
export function createSearchThread(options: {
  readonly clock: Clock;
  onProblem(problem: unknown): void;
}): SearchThread {
  const { clock, onProblem } = options;
  const turns = createQueue(swapLimits.searchesOnThread.value);
  const deadlines = createDeadlines(clock);
  const send = (message: SearchMessage) => thread?.postMessage(message);
  const states = createToldStates(clock, send);
  const calls = createCalls<SearchAnswer>({ clock });
  let thread: Worker | undefined;
  let idle: Deadline | undefined;
  let isClosed = false;

  const end = () => {
    void thread?.terminate();
    thread = undefined;
    states.forget();
  };

  function start(): Worker {
    const started = new Worker(entry);
    // The thread does not keep the process alive.
    started.unref();
    let endedBy: unknown = new Error('The search thread ended.');
    started.on('message', (answer: SearchAnswer) => calls.answer(answer.id, answer));
    started.on('error', (error) => {
      endedBy = error;
    });
    started.on('exit', () => {
      if (thread !== started && thread !== undefined) return;
      if (thread === started) end();
      calls.refuseAll(endedBy);
    });
    return started;
  }

  async function ask(question: RouteQuestion): Promise<RoutedChoice | undefined> {
    const { market, deployment, ...asked } = question;
    const { routers, wrappedNative } = deployment;
    thread ??= start();
    const pools = await states.tell(market.pools);
    const sent = { ...asked, deployment: { routers, wrappedNative }, pools };
    const answer = await calls.ask((id) => send({ id, question: sent }));
    if ('fault' in answer) throw answer.fault;
    return answer.choice && receiveChoice(answer.choice, question);
  }

  return {
    choose: (question, signal) =>
      turns.pass(
        async () => {
          if (isClosed) return chooseRoute(question);
          if (idle !== undefined) deadlines.delete(idle);
          try {
            return await ask(question);
          } catch (problem) {
            if (!isClosed) onProblem(problem);
            return chooseRoute(question);
          } finally {
            if (!isClosed) idle = deadlines.add(idleFor, end);
          }
        },
        { signal },
      ),
    async close() {
      isClosed = true;
      if (idle !== undefined) deadlines.delete(idle);
      end();
    },
  };
}

/** Numbers the states of pools, and remembers which of them the thread has. */
function createToldStates(clock: Clock, send: (message: SearchMessage) => void) {
  const numbers = new WeakMap<PoolState, number>();
  let told = new Set<number>();
  let lastNumber = 0;

  const numberOf = (state: PoolState): number => {
    const number = numbers.get(state) ?? ++lastNumber;
    numbers.set(state, number);
    return number;
  };

  return {
    /** Sends the states that the thread does not have, and returns the numbers of all. */
    async tell(pools: RouteQuestion['market']['pools']): Promise<readonly number[]> {
      const all = pools.map(({ pool: { exchange }, state }): SentPool => {
        return { number: numberOf(state), exchange, state };
      });
      if (told.size + all.length > swapLimits.statesOnSearchThread.value) {
        send({ forget: true });
        told = new Set();
      }
      const unknown = all.filter(({ number }) => !told.has(number));
      let since = clock.elapsed();
      for (let from = 0; from < unknown.length; from += statesAtOnce) {
        const learn = unknown.slice(from, from + statesAtOnce);
        send({ learn });
        for (const { number } of learn) told.add(number);
        if (clock.elapsed() - since < longestTurn) continue;
        await clock.turn();
        since = clock.elapsed();
      }
      return all.map(({ number }) => number);
    },
    /** Call it when the thread has ended: its states are gone. */
    forget(): void {
      told = new Set();
    },
  };
}
