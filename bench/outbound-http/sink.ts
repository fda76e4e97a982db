import { createServer } from 'node:http';

// Takes every request and answers nothing, in a process of its own.
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
