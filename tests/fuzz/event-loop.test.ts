import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { createHostileRequests } from './hostile-requests.ts';
import { openCredentials } from './open-credentials.ts';
import { createStallReader, longestStall, measureStalls } from './read-stalls.ts';
import { sendRequest } from './send-request.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

/** In characters; the documents in which the server describes itself are the longest. */
const longestAnswer = 400_000;

/** Concurrent requests add up to a longer stall than each causes, so suspicious ones are measured one by one. */
const atOnce = 4;

/** The test sends some thousand requests, which take minutes on a busy machine. */
const patience = 900_000;

test(
  'no text in any field of any operation holds the event loop [N1]',
  async () => {
    const server = await startFuzzedServer({
      NODE_OPTIONS: measureStalls,
      // The access log, too, is written from what callers send.
      TRADEWIND_LOG_LEVEL: 'info',
    });
    try {
      // Tokens with all scopes, used in turn: the quota of one client must not shield the operations.
      const tokens = (await openCredentials(server.url)).filter((_, index) => index % 6 >= 4);
      const agents = Array.from(
        { length: 200 },
        () => new Agent({ keepAlive: true, maxSockets: 2 }),
      );
      let sent = 0;
      let largestAnswer = 0;
      const send = (request: Parameters<typeof sendRequest>[0]) => {
        sent += 1;
        const address = sent % agents.length;
        const way = { url: server.url, token: tokens[sent % tokens.length], address, agents };
        return sendRequest(request, way).then(
          ({ body }) => {
            largestAnswer = Math.max(largestAnswer, body.length);
          },
          () => {},
        );
      };
      const sendAll = async (requests: readonly Parameters<typeof send>[0][]) => {
        const waiting = requests.values();
        const sendInTurn = async () => {
          for (const request of waiting) await send(request);
        };
        await Promise.all(Array.from({ length: atOnce }, sendInTurn));
      };
      const { readStall, slowestOf } = createStallReader(server);
      const hostileRequests = createHostileRequests();
      const stalls: Record<string, number> = {};
      for (const service of declaredServices) {
        for (const operation of service.operations) {
          const requests = hostileRequests(service, operation);
          await sendAll(requests);
          const together = await readStall();
          stalls[operation.id] =
            together > longestStall ? await slowestOf(requests, send) : together;
        }
      }
      for (const agent of agents) agent.destroy();
      const [slowest] = Object.entries(stalls).sort(([, one], [, other]) => other - one);
      console.log(
        `${sent} requests to ${Object.keys(stalls).length} operations, slowest:`,
        slowest,
      );
      expect(Object.entries(stalls).filter(([, stall]) => stall > longestStall)).toEqual([]);
      // An error answer is shorter than its request.
      expect(largestAnswer).toBeLessThan(longestAnswer);
      expect(server.isAlive()).toBe(true);
    } finally {
      await server.end();
    }
  },
  patience,
);
