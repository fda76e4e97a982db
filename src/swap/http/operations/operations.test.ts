import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSwapEdge, sender, usdc } from '../../../../tests/support/swap-interface.ts';
import { describeOpenApi, type JsonSchema } from '../../../kernel/edge/open-api.ts';
import { nativeToken } from '../../model.ts';
import { quoteOperation, swapService } from './operations.ts';

const document = describeOpenApi([swapService], 'http://localhost:8787');

/** Builds a validator of a schema as a stranger would, from the document's JSON alone. */
function readSchema(schema: JsonSchema): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
}

const quoteParameters = (document.paths['/v1/swap/{chainId}']?.get?.parameters ?? []).filter(
  (parameter) => 'name' in parameter,
);

const query = `tokenIn=${nativeToken}&tokenOut=${usdc.address}&amount=1&sender=${sender}`;

it.each(['5', '64', '100'])(
  'refuses the sender 0x…%s, where chains have contracts of their own [F74]',
  async (digits) => {
    const wallet = `0x${digits.padStart(40, '0')}`;
    const { edge } = createSwapEdge();
    const answer = await edge.request(`/v1/swap/31337?${query.replace(sender, wallet)}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'INVALID_PARAMS', details: { sender: expect.stringContaining('an account') } },
    });
  },
);

it('refuses dexes and excludeDexes together [Q45]', async () => {
  const { edge } = createSwapEdge();
  for (const operation of ['swap', 'price']) {
    const asked = `${query}&dexes=uniswap-v2&excludeDexes=uniswap-v3`;
    const answer = await edge.request(`/v1/${operation}/31337?${asked}`);
    expect(answer.status).toBe(400);
    const details = { excludeDexes: expect.stringContaining('together with dexes') };
    expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_PARAMS', details } });
  }
});

describe('the OpenAPI document', () => {
  it('is version 0.1.0 of the interface in OpenAPI 3.1.0, served at /openapi.json [Q1]', async () => {
    const response = await createSwapEdge().edge.request('/openapi.json');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } });
  });

  it('describes paths that are all served [Q1]', async () => {
    const { edge, errors } = createSwapEdge();
    for (const path of Object.keys(document.paths)) {
      const { status } = await edge.request(`${path.replace('{chainId}', '31337')}?${query}`);
      expect([path, status], JSON.stringify(errors)).toEqual([path, 200]);
    }
  });

  it.each([
    ['/v1/swap/{chainId}', `/v1/swap/31337?${query}`, 200],
    ['/v1/swap/{chainId}', `/v1/swap/1?${query}`, 400],
    ['/v1/swap/{chainId}', '/v1/swap/31337', 400],
    ['/v1/swap/examples', '/v1/swap/examples', 200],
    ['/v1/chains', '/v1/chains', 200],
    ['/v1/tokens/{chainId}', '/v1/tokens/31337', 200],
    ['/v1/tokens/{chainId}', '/v1/tokens/1', 400],
  ])('describes what %s answers at %s with %i [Q1]', async (path, url, status) => {
    const response = await createSwapEdge().edge.request(url);
    expect(response.status).toBe(status);
    const described = document.paths[path]?.get?.responses[status]?.content?.['application/json'];
    const schema = readSchema(described?.schema ?? {});
    expect(schema.safeParse(await response.json()).error).toBeUndefined();
    expect(schema.safeParse({ success: 'yes' }).success).toBe(false);
  });

  it('names the parameters of a quote with their places and needs [Q1]', () => {
    expect(quoteParameters.map(({ name, in: place, required }) => [name, place, required])).toEqual(
      [
        ['chainId', 'path', true],
        ['tokenIn', 'query', true],
        ['tokenOut', 'query', true],
        ['amount', 'query', false],
        ['amountOut', 'query', false],
        ['maxSlippage', 'query', false],
        ['sender', 'query', true],
        ['recipient', 'query', false],
        ['feeRecipient', 'query', false],
        ['permit', 'query', false],
        ['fee', 'query', false],
        ['gasPrice', 'query', false],
        ['dexes', 'query', false],
        ['excludeDexes', 'query', false],
        ['router', 'query', false],
      ],
    );
  });

  it.each([
    ['chainId', '1', 1],
    ['chainId', '0', 0],
    ['chainId', '-1', -1],
    ['chainId', '1.5', 1.5],
    ['chainId', '9007199254740993', 9007199254740992],
    ['tokenIn', sender, sender],
    ['tokenIn', '0x12', '0x12'],
    ['amount', '1', '1'],
    ['amount', '1.5', '1.5'],
    ['amount', '1'.repeat(79), '1'.repeat(79)],
    ['maxSlippage', '0', 0],
    ['maxSlippage', '1', 1],
    ['maxSlippage', '5e-3', 5e-3],
    ['maxSlippage', '1.01', 1.01],
    ['maxSlippage', '-0.1', -0.1],
    ['maxSlippage', 'null', null],
    ['maxSlippage', 'much', 'much'],
    ['gasPrice', '0', '0'],
    ['gasPrice', '-1', '-1'],
  ] as const)('takes %s=%s exactly where its schema takes %j [Q1]', (name, text, value) => {
    const described = quoteParameters.find((parameter) => parameter.name === name);
    const isDescribed = readSchema(described?.schema ?? {}).safeParse(value).success;
    const isTaken = quoteOperation.parameters.shape[name].safeParse(text).success;
    expect(isTaken).toBe(isDescribed);
  });
});
