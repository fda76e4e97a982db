/**
 * Your own MCP server, protected by tokens of a Tradewind server that runs elsewhere. Register this server there
 * with tradewind resources add, or with TRADEWIND_RESOURCES=http://localhost:9000/mcp. SCOPE is the scope that
 * callers need. In this repository, where the package is not built, run:
 * node --conditions=tradewind-source examples/guarded-server.ts
 */
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { createGuard, honoGuard } from 'tradewind/guard';

const { ISSUER: issuer = 'http://localhost:8787', PORT: port = '9000' } = process.env;
const resource = `http://localhost:${port}/mcp`;
const scope = [process.env.SCOPE ?? 'swap.read'];

const context = createMcpHandler(() => {
  const server = new McpServer({ name: 'time', version: '1.0.0' });
  server.registerTool('get_time', { description: 'The time of this server.' }, () => ({
    content: [{ type: 'text', text: new Date().toISOString() }],
  }));
  return server;
});

const app = new Hono();
const guard = createGuard({ issuer, resource, scopes: scope });
app.get(guard.metadata.path, (c) => c.json(guard.metadata.document));
app.use('/mcp', honoGuard(guard, { scope }));
app.all('/mcp', (c) => context.fetch(c.req.raw));
serve({ fetch: app.fetch, port: Number(port) }, () => console.log(`Guarded: ${resource}`));
