import { expect, it } from 'vitest';
import { chainsOperation, tokensOperation } from '../../swap/wire.ts';
import { createServerClient } from './server-client.ts';

it('hands on the details of a refusal [Q2]', async () => {
  const error = {
    code: 'UPSTREAM_ERROR',
    message: 'The RPC endpoint of chain 1 gave no usable answer: see the details.',
    details: {
      attempts: [{ endpoint: 'http://127.0.0.1:1', reason: 'connection', message: 'No.' }],
    },
  };
  const body = { success: false, error, timestamp: '2030-01-01T00:00:00.000Z' };
  const client = createServerClient('http://localhost', async () => Response.json(body));
  await expect(client.get(chainsOperation)).rejects.toMatchObject(error);
});

it.each([50_000_000, 256, -1, 1.5])(
  'takes no answer in which a token has %d decimals, which would fill a terminal [F81]',
  async (decimals) => {
    const named = { symbol: 'A', name: 'A' };
    const listed = { tokens: [{ address: `0x${'1'.repeat(40)}`, ...named, decimals }] };
    const chain = { chainId: 1, name: 'One', rpcUrls: [], routers: [], dexes: [] };
    const listedChains = { chains: [{ ...chain, nativeCurrency: { ...named, decimals } }] };
    const client = createServerClient('http://localhost', async (asked) => {
      const data = `${asked}`.includes('/tokens') ? listed : listedChains;
      return Response.json({ success: true, data, timestamp: '2030-01-01T00:00:00.000Z' });
    });
    const refused = { code: 'NOT_A_TRADEWIND' };
    await expect(client.get(tokensOperation, { chainId: '1' })).rejects.toMatchObject(refused);
    await expect(client.get(chainsOperation)).rejects.toMatchObject(refused);
  },
);
