import { expect, it } from 'vitest';
import { chainsOperation } from '../../swap/wire.ts';
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
