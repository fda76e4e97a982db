import { describe, expect, it } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { renderReference } from '../../src/console/render-reference.ts';
import { describeOpenApi } from '../../src/kernel/edge/open-api.ts';
import { swapService } from '../../src/swap/http/operations/operations.ts';

const document = describeOpenApi(declaredServices, 'http://localhost:8787');
const text = String(await renderReference(document, ["curl 'http://localhost:8787/v1/chains'"]));

describe('the reference as the server writes it', () => {
  it('shows every operation, every parameter and a command to try', () => {
    expect(text).toContain('curl &#39;http://localhost:8787');
    for (const { path, parameters, summary } of swapService.operations) {
      expect(text).toContain(`<span>${summary}</span> <code>GET ${path}</code>`);
      for (const name of Object.keys(parameters.shape)) {
        expect(text).toContain(`<th scope="row"><code>${name}</code>`);
      }
    }
  });

  it('holds nothing inline that the content policy would refuse [K14]', () => {
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(| on\w+=| style=/);
  });

  it('can be read by keyboard and aloud', () => {
    const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining(anchors));
    expect(new Set(ids).size).toBe(ids.length);
    expect(text).not.toMatch(/<th>/);
  });
});
