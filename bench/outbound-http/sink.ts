import { createServer } from 'node:http';

// Accepts every request and answers 204, in its own process.
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
