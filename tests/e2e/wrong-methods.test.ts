import { expect, test } from 'vitest';
import { serve } from '../support/run-tradewind.ts';

test('a path answers an unsupported method with 405 and the allowed ones, whichever service owns it', async () => {
  const { url } = await serve();
  const ask = async (path: string) => {
    const { status, headers } = await fetch(url + path, { method: 'PUT' });
    return [status, headers.get('allow')];
  };
  expect(await ask('/v1/swap/31337')).toEqual([405, 'GET, HEAD']);
  expect(await ask('/v1/chains')).toEqual([405, 'GET, HEAD']);
  expect(await ask('/v1/events')).toEqual([405, 'POST']);
  expect(await ask('/token')).toEqual([405, 'POST']);
  expect(await ask('/v1/nowhere')).toEqual([404, null]);
});
