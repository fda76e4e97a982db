import { createServer } from 'node:http';
import { listen } from './listen.ts';

// Takes every post in a process of its own and tells how many came, by `GET /`.
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
