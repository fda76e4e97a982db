import { expect, it } from 'vitest';
import { routedAnswer, swapMountOptions, usdc } from '../../../tests/support/swap-interface.ts';
import { nativeToken } from '../model.ts';
import { countAnswers, createSwapAnswers } from './create-swap-answers.ts';

const { useCases, exampleTrade, limiter: full } = swapMountOptions;
const pairPrice = async () => {
  throw new Error('no chain to read');
};
const uncounted = { ...createSwapAnswers({ useCases }), pairPrice };
const signal = new AbortController().signal;
const query = {
  chainId: '31337',
  tokenIn: nativeToken,
  tokenOut: usdc.address,
  amount: '1000000000000000000',
  sender: exampleTrade.sender,
};

it('answers what the interface answers, counted for the subject', async () => {
  const counted: string[] = [];
  const answers = countAnswers(uncounted, {
    take: async (subject) => {
      counted.push(subject);
      return full.take();
    },
  });
  expect(await answers.quote(query, { signal, subject: 'ann' })).toEqual(routedAnswer);
  const { tokens } = await answers.tokens({ chainId: '31337' }, { signal, subject: 'bob' });
  expect(tokens).toContainEqual(usdc);
  expect(counted).toEqual(['ann', 'bob']);
});

it.each([
  [0.5, 1, '1 second'],
  [6.5, 7, '7 seconds'],
])(
  'refuses a subject whose bucket is empty for %d s and says when to come again',
  async (retryAfterSeconds, rounded, inWords) => {
    const answers = countAnswers(uncounted, {
      take: async () => ({ ...(await full.take()), isAllowed: false, retryAfterSeconds }),
    });
    await expect(answers.quote(query, { signal, subject: 'ann' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining(`: wait ${inWords} and try again.`),
      details: { retryAfterSeconds: rounded },
    });
  },
);
