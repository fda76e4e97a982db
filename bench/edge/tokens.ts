import { join } from 'node:path';
import { secret } from '../../tests/support/open-token-world.ts';
import { compareServers } from './compare.ts';

/**
 * The token endpoint as it is, by client credentials, served in turn by the edge of today, by one pipeline of our own and by
 * Fastify: processor time of the server for a token, and for the refusal of a wrong secret. The store, the keys, the log (which
 * is made and not written) and the histogram of requests are the product's.
 *
 * Run: node bench/edge/tokens.ts [requests a turn] [rounds], with the settings of run.ts.
 */
const ask = (word: string) => ({
  method: 'POST' as const,
  path: '/token',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`machine:${word}`).toString('base64')}`,
  },
  body: 'grant_type=client_credentials&scope=swap.read',
});

await compareServers({
  script: join(import.meta.dirname, 'token-server.ts'),
  reference: 'edge, direct',
  cases: {
    'a token': { status: 200, contains: '"access_token"', asked: () => ask(secret) },
    'the key set': {
      status: 200,
      contains: '"keys"',
      asked: () => ({ method: 'GET', path: '/jwks' }),
    },
  },
});
