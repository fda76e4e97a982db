import { createServer } from 'node:http';
import { listen } from './listen.ts';

// Accepts every post, in its own process. `GET /` answers how many came.
let received = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(received));
    return;
  }
  request.resume();
  request.once('end', () => {
    received++;
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
listen(server);
