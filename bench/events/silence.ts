import { createServer } from 'node:net';
import { listen } from './listen.ts';

// The silent endpoints of the latency benchmark: they accept every post and never answer.
listen(
  createServer((socket) => {
    // A client that gives up may reset the connection.
    socket.on('error', () => {}).resume();
  }),
);
