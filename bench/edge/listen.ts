import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer, type ReadRequest } from '../../src/kernel/edge/listener/create-server.ts';
import { systemClock as clock } from '../../src/kernel/wait/clock.ts';

/** A request with what the listener has read of it. */
export type ReadMessage = IncomingMessage & { known: ReadRequest };

/** The server of the listener, with all of its limits, and a handler of Node.js in the place of the edge. */
export async function createListenerServer(): Promise<{
  readonly server: Server;
  answerBy(handler: RequestListener): void;
}> {
  let answer: RequestListener = () => {};
  const { server } = await createServer({
    clock,
    fetch: () => new Response(null, { status: 500 }),
    answerDirectly(incoming, outgoing, read) {
      (incoming as ReadMessage).known = read;
      answer(incoming, outgoing);
      return true;
    },
  });
  return {
    server,
    answerBy(handler) {
      answer = handler;
    },
  };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
