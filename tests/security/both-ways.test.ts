import { expect, test } from 'vitest';
import { createSwapMount } from '../../src/swap/http/create-swap-mount.ts';
import { SwapError } from '../../src/swap/model.ts';
import { createRawMaker } from '../fuzz/make-raw.ts';
import { converse, plainSockets, type RawAnswer, readAnswers } from '../support/converse.ts';
import { createBothWays } from '../support/create-both-ways.ts';
import { createDice } from '../support/dice.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestAuthorization } from '../support/open-test-authorization.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { sender, swapMountOptions, usdc, weth } from '../support/swap-interface.ts';

/** How many requests both ways are asked; a run by hand asks for 100,000. */
const requests = Number(process.env.TEST_REQUESTS ?? 400);
const seed = Number(process.env.TEST_SEED ?? 1);
const from = Number(process.env.TEST_FROM ?? 0);
const atOnce = 8;
const patience = 400;

const query = `tokenIn=${weth.address}&tokenOut=${usdc.address}&sender=${sender}&amount=1000`;
const paths = [
  '/jwks',
  '/token',
  '/revoke',
  '/introspect',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  `/v1/swap/31337?${query}`,
  `/v1/price/31337?${query}`,
  '/v1/swap/31337',
  '/v1/chains',
];

/** Serves the endpoints and operations that have a direct way, with or without it. */
async function openWay(isDirect: boolean) {
  const { authorization } = await openTestAuthorization();
  const swap = createSwapMount({
    ...swapMountOptions,
    clock: createFakeClock(),
    useCases: {
      ...swapMountOptions.useCases,
      async quote(request, { caller }) {
        const details = { ...request, amountIn: `${request.amountIn}`, caller, maxSlippage: 0 };
        throw new SwapError('UPSTREAM_ERROR', 'Said what was asked.', { details });
      },
    },
  });
  const { open } = createBothWays(() => [swap, authorization.mount, authorization.management]);
  return open({ isDirect });
}

test('both ways answer the same random requests alike [F33, N17]', {
  timeout: 7_200_000,
}, async () => {
  const ways = await Promise.all([openWay(true), openWay(false)]);
  const make = createRawMaker({ host: 'localhost:8787', isWhole: true, paths });
  const differences: object[] = [];
  const statuses: Record<string, number> = {};
  let next = from;

  async function compare(index: number): Promise<void> {
    const { text } = make(createDice(createSeededFractions(Math.imul(seed, 0x9e3779b1) ^ index)));
    // What follows ends the conversation, wherever the request ended.
    const sent = `${text}\r\n\r\nGET /jwks HTTP/1.1\r\nHost: localhost:8787\r\nConnection: close\r\n\r\n`;
    const [direct, ordinary] = await Promise.all(
      ways.map(async ({ url }) => {
        const port = Number(new URL(url).port);
        const received = await converse(plainSockets(port), { text: sent }, patience);
        return masked(readAnswers(received));
      }),
    );
    const status = String(direct?.[0]?.status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    try {
      expect(direct).toEqual(ordinary);
    } catch {
      differences.push({ index, text: text.slice(0, 600), direct, ordinary });
    }
  }
  const work = async () => {
    while (next < from + requests && differences.length < 10) await compare(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(`${next - from} requests both ways, seed ${seed}:`, statuses);
  expect(differences).toEqual([]);
  expect(ways[0]?.throughApp()).toBeLessThan(next - from + requests);
});

/** Without what differs by chance: keys, and the ids of requests. */
function masked(answers: readonly RawAnswer[]): RawAnswer[] {
  const text = JSON.stringify(answers)
    .replaceAll(/[0-9a-f]{16}-\d+/g, 'id of ours')
    .replaceAll(/\\"(?:x|y|kid)\\":\\"[\w-]+\\"/g, 'a key');
  return JSON.parse(text);
}
