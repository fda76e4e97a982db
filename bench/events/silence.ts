import { createServer } from 'node:net';
import { listen } from './listen.ts';

// The endpoints of the measurement of latency that take every post and never answer.
listen(
  createServer((socket) => {
    // Who gives up ends the connection as it likes.
    socket.on('error', () => {}).resume();
  }),
);
