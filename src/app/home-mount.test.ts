import { describe, expect, it } from 'vitest';
import { homeMount } from './home-mount.ts';
import type { ServiceName } from './server-settings.ts';

async function open(services: readonly ServiceName[]) {
  const { app } = homeMount({ version: '1.2.3', services, tryNext: ["curl 'http://x/?a&b'"] });
  const response = await app!.request('/');
  return { response, text: await response.text() };
}

describe('the page at /', () => {
  it('links what is served and shows what to try', async () => {
    const { response, text } = await open(['swap', 'authorization', 'events', 'context']);
    expect(response.status).toBe(200);
    for (const path of ['/docs', '/account', '/.well-known/', '/$discovery/rest', '/metrics']) {
      expect(text).toContain(`href="${path}`);
    }
    expect(text).toContain('/mcp');
    expect(text).toContain('Tradewind 1.2.3');
    expect(text).toContain('curl &#39;http://x/?a&amp;b&#39;');
  });

  it('is silent about services that this process does not run', async () => {
    const { text } = await open(['swap']);
    expect(text).toContain('/docs');
    expect(text).not.toContain('/account');
    expect(text).not.toContain('/mcp');
  });

  it('runs no script and loads nothing [R1]', async () => {
    const { response, text } = await open(['swap', 'authorization', 'events', 'context']);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(text).not.toContain('<script');
  });
});
