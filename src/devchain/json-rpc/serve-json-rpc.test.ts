import { describe, expect, it } from 'vitest';
import { serveJsonRpc } from './serve-json-rpc.ts';

const url = 'http://localhost/rpc/31337';
const by = (handle: (body: string) => Promise<string>, isForeignPage = false) => ({
  handle,
  isForeignPage,
  full: () => undefined,
});
const echo = by(async (body) => `{"echo":${body}}`);

describe('serveJsonRpc', () => {
  it('answers a POST, to pages of any origin', async () => {
    const response = await serveJsonRpc(new Request(url, { method: 'POST', body: '[1]' }), echo);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(await response.json()).toEqual({ echo: [1] });
  });

  it('answers 204 where the JSON-RPC response is empty', async () => {
    const request = new Request(url, { method: 'POST', body: '{}' });
    const response = await serveJsonRpc(
      request,
      by(async () => ''),
    );
    expect(response.status).toBe(204);
  });

  it('answers the preflight of a browser', async () => {
    const response = await serveJsonRpc(new Request(url, { method: 'OPTIONS' }), echo);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type');
  });

  it('refuses other methods with 405', async () => {
    const response = await serveJsonRpc(new Request(url), echo);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toMatchObject({ error: { code: -32600 } });
  });

  it('refuses a body over 5 MiB with 413, and takes one of 5 MiB', async () => {
    const post = (length: number) =>
      serveJsonRpc(new Request(url, { method: 'POST', body: '1'.repeat(length) }), echo);
    expect((await post(5 * 1024 * 1024)).status).toBe(200);
    expect((await post(5 * 1024 * 1024 + 1)).status).toBe(413);
  });

  it('hands on an empty body as it is', async () => {
    const request = new Request(url, { method: 'POST' });
    const response = await serveJsonRpc(
      request,
      by(async (body) => JSON.stringify(body)),
    );
    expect(await response.json()).toBe('');
  });

  it('accepts only JSON from foreign pages, since browsers post text without a preflight', async () => {
    const post = (type: string) =>
      serveJsonRpc(
        new Request(url, { method: 'POST', body: '[1]', headers: { 'content-type': type } }),
        by(async () => '[]', true),
      );
    expect((await post('application/json; charset=utf-8')).status).toBe(200);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect((await post(type)).status).toBe(415);
    }
  });
});
