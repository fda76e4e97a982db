import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../listen.ts';
import { notFoundBody, type Route, routes, streamHeaders } from '../work.ts';

/** The floor: `node:http`, a map of static paths and one pattern. It keeps no rule. */
export async function openNodeHttp(): Promise<number> {
  const atPath = new Map(routes.map((route) => [route.path as string, route]));
  const swap = atPath.get('/v1/swap/{chainId}');
  const server = createServer({ optimizeEmptyRequests: true }, async (incoming, outgoing) => {
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const chainId = path.startsWith('/v1/swap/') ? path.slice(9) : undefined;
    const route: Route | undefined = chainId === undefined ? atPath.get(path) : swap;
    if (route === undefined) {
      const body = notFoundBody(path);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      return outgoing.writeHead(404, headers).end(body);
    }
    if ('stream' in route) {
      outgoing.writeHead(200, streamHeaders);
      for await (const piece of route.stream()) outgoing.write(piece);
      return outgoing.end();
    }
    const { authorization } = incoming.headers;
    const body = route.method === 'POST' ? await readAll(incoming) : '';
    const answer = await route.answer({ variables: { chainId }, query, authorization, body });
    const headers = { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) };
    return outgoing.writeHead(answer.status, headers).end(answer.body);
  });
  return listen(server);
}

function readAll(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => resolve(body));
  });
}
