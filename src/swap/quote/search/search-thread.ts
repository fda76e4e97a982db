import { parentPort } from 'node:worker_threads';
import { createRoutingMemory } from '../market/create-routing-memory.ts';
import { chooseRoute } from './choose-route.ts';
import {
  type SearchAnswer,
  type SearchMessage,
  type SentPool,
  type SentQuestion,
  sendChoice,
} from './search-messages.ts';

// The thread of `createSearchThread`: it learns states, prepares their graphs and chooses routes as the serving thread would.

const pools = new Map<number, SentPool>();
const memory = createRoutingMemory();

parentPort?.on('message', (message: SearchMessage) => {
  if ('learn' in message) for (const pool of message.learn) pools.set(pool.number, pool);
  else if ('forget' in message) pools.clear();
  else parentPort?.postMessage(answer(message));
});

function answer({
  id,
  question: sent,
}: {
  readonly id: number;
  readonly question: SentQuestion;
}): SearchAnswer {
  const { pools: numbers, ...asked } = sent;
  try {
    const question = { ...asked, market: { pools: numbers.map(poolOf), memory } };
    const choice = chooseRoute(question);
    return { id, choice: choice && sendChoice(choice, question) };
  } catch (fault) {
    return { id, fault };
  }
}

function poolOf(number: number) {
  const pool = pools.get(number);
  if (pool === undefined) throw new Error(`The state ${number} was not sent.`);
  return { pool, state: pool.state };
}
