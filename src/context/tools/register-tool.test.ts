import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  swapUseCases,
} from '../../../tests/support/context-endpoint.ts';

it('lists tools whose schemas are described once for all sessions, requests and revisions [N1]', async () => {
  const output = z.looseObject({ chains: z.array(z.unknown()) });
  const describe = vi.spyOn(output['~standard'].jsonSchema, 'output');
  const chains = { output, ask: async () => ({ chains: [] }) };
  const { fetch, close } = await openContextEdge({
    useCases: { swap: { ...swapUseCases!, chains } },
  });
  const ask = async (body: object, headers: Record<string, string>) => {
    const text = await (await fetch(endpoint, message(body, headers))).text();
    expect(text).toContain('list_chains');
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  for (const revision of ['2025-03-26', '2025-11-25']) {
    const begun = await fetch(endpoint, message(initialize(revision)));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    for (let times = 0; times < 2; times += 1) await ask(list, session);
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const alone = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
  for (let times = 0; times < 2; times += 1) await ask({ ...list, params: { _meta } }, alone);
  expect(describe).toHaveBeenCalledTimes(1);
  await close();
});
