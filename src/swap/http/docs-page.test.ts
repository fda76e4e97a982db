import { describe, expect, it } from 'vitest';
import { createSwapEdge } from '../../../tests/support/swap-interface.ts';
import { swapService } from './operations.ts';

async function page() {
  const response = await createSwapEdge().edge.request('/docs');
  return { headers: response.headers, text: await response.text() };
}

describe('the page of the interface', () => {
  it('shows every operation, every parameter and a command to try', async () => {
    const { headers, text } = await page();
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(
      'curl --fail-with-body --silent --show-error &#39;http://localhost:8787',
    );
    for (const { path, parameters, summary } of swapService.operations) {
      expect(text).toContain(`${summary}: <code>GET ${path}</code>`);
      for (const name of Object.keys(parameters.shape)) {
        expect(text).toContain(`<th scope="row"><code>${name}</code>`);
      }
    }
  });

  it('loads nothing and runs nothing', async () => {
    const { headers, text } = await page();
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; .*frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(| on\w+=| style=/);
  });

  it('can be read in the dark, by keyboard and aloud', async () => {
    const { text } = await page();
    expect(text).toContain('prefers-color-scheme: dark');
    expect(text).toMatch(/<html lang="en">[\s\S]*<main id="content">/);
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining(anchors));
    expect(new Set(ids).size).toBe(ids.length);
    expect(text).not.toMatch(/<th>/);
  });
});
