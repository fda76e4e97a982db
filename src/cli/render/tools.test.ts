import { describe, expect, it } from 'vitest';
import { renderToolResult } from './tools.ts';

const csi = '\u009b'; // the one-character form of ESC [, which JSON writes as it is

describe('renderToolResult', () => {
  it('lets no answer of a tool move the cursor', () => {
    const content = [{ type: 'text' as const, text: `one${csi}2J\ntwo\u001b[2J` }];
    expect(renderToolResult({ content })).toBe('one 2J\ntwo [2J\n');
    const structuredContent = { symbol: `USDC${csi}2J` };
    expect(renderToolResult({ content, structuredContent })).toBe('{\n  "symbol": "USDC 2J"\n}\n');
  });

  it('shows long answers whole, since calldata is copied from them', () => {
    const structuredContent = { data: `0x${'ab'.repeat(5_000)}` };
    expect(JSON.parse(renderToolResult({ content: [], structuredContent }))).toEqual(
      structuredContent,
    );
  });
});
