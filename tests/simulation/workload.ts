import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { writeOutbox } from '../../src/kernel/work/outbox.ts';
import { scheduleWork } from '../../src/kernel/work/work.ts';
import type { Observed, Replay } from './observed.ts';
import type { Cluster, Heard } from './world/cluster.ts';
import type { Scheduler } from './world/scheduler.ts';
import type { SimulatedRandom } from './world/simulated-random.ts';
import { clientHeader, publicUrl, tickTopic, workKind } from './world/start-node.ts';

/** The first lanes are webhooks; the last one is a stream. */
export const webhooks = 2;
export const lanes = webhooks + 1;
/** Publishers start their requests within so many milliseconds. */
export const workloadLength = 6_000;

const eventType = 'google.workspace.drive.file.v3.created';
const targetOf = (lane: number) => `//drive.googleapis.com/files/f${lane}`;
const json = { 'content-type': 'application/json' };

type Tokens = { readonly access_token: string; readonly refresh_token: string };

export type WorkloadOptions = {
  readonly cluster: Cluster;
  readonly scheduler: Scheduler;
  readonly random: SimulatedRandom;
  readonly observed: Observed;
  readonly nodes: number;
  /** Whether requests hold many events, most of them for the stream. Reads in parts then need more than one part. */
  readonly isCrowded: boolean;
};

/** The requests that clients send to the nodes, and the judgement of their answers. */
export function createWorkload(options: WorkloadOptions) {
  const { cluster, scheduler, random, observed, nodes, isCrowded } = options;
  const mostEvents = isCrowded ? 9 : 3;
  const anyNode = () => random.below(nodes);
  const names: string[] = [];
  /** The last access tokens of clients that revoked their grants, and of the others. */
  const revoked: string[] = [];
  const honoured: string[] = [];
  let probes = 0;
  const pause = (low: number, high: number) => cluster.sleep(random.between(low, high));

  const subscribe = async (lane: number): Promise<void> => {
    const uri = `https://receiver-${lane}.test/hook`;
    const contentMode = lane % 2 === 0 ? 'BINARY' : 'BATCH';
    const notificationEndpoint =
      lane < webhooks ? { webhook: { uri, contentMode } } : { eventStream: {} };
    const heard = await cluster.call(0, {
      method: 'POST',
      path: '/v1/subscriptions',
      headers: json,
      body: JSON.stringify({
        targetResource: targetOf(lane),
        eventTypes: [eventType],
        notificationEndpoint,
      }),
    });
    const name = heard?.body.response?.name;
    if (typeof name !== 'string')
      throw new Error(`No subscription: ${JSON.stringify(heard?.body)}`);
    names[lane] = name;
  };

  /** Sends one request to publish after another, and retries each until it is acknowledged. */
  const publish = async (publisher: number): Promise<void> => {
    const end = scheduler.now() + workloadLength;
    for (let count = 0; scheduler.now() < end; count++) {
      const events = Array.from({ length: 1 + random.below(mostEvents) }, (_, index) => ({
        specversion: '1.0',
        id: `p${publisher}-${count}-${index}`,
        source: `//simulation/p${publisher}`,
        type: eventType,
        lane: isCrowded && random.below(3) > 0 ? lanes - 1 : random.below(lanes),
      }));
      const body = JSON.stringify(
        events.map(({ lane, ...event }) => ({
          ...event,
          subject: targetOf(lane),
          data: { file: { name: event.id } },
        })),
      );
      observed.publishing += 1;
      for (;;) {
        const heard = await cluster.call(anyNode(), {
          method: 'POST',
          path: '/v1/events',
          headers: {
            'content-type': 'application/cloudevents-batch+json',
            [clientHeader]: `publisher-${publisher}`,
          },
          body,
        });
        if (heard?.status === 202) break;
        observed.judgeRefusal('publish', heard);
        await pause(100, 500);
      }
      observed.publishing -= 1;
      for (const { id, lane } of events) observed.acknowledge({ publisher, id, lane });
      await pause(100, 1_500);
    }
  };

  /** Reads the stream. When a node fails, it resumes at any node after the last event it got. */
  const listen = async (): Promise<void> => {
    let lastEventId: string | undefined;
    for (;;) {
      const node = anyNode();
      const heard = await cluster.call(node, {
        method: 'GET',
        path: `/v1/${names[webhooks]}:listen`,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      });
      if (heard?.status === 200) lastEventId = (await read(heard, node)) ?? lastEventId;
      await pause(200, 1_000);
    }
  };
  const read = async ({ response }: Heard, node: number): Promise<string | undefined> => {
    const process = cluster.processOf(node);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let last: string | undefined;
    for (;;) {
      // Heartbeats are the listener's, and nodes have none here. So a reader connects again after half a minute of
      // silence, as it would with a node that has failed.
      const silent = Promise.withResolvers<undefined>();
      const stop = scheduler.after(30_000, () => silent.resolve(undefined));
      const watch = setWatch(
        () => process.isDead,
        () => silent.resolve(undefined),
      );
      const chunk = await Promise.race([reader.read().catch(() => undefined), silent.promise]);
      stop();
      watch();
      if (chunk === undefined || chunk.done) {
        void reader.cancel().catch(() => {});
        return last;
      }
      for (const part of decoder.decode(chunk.value).split('\n\n')) {
        const [, id] = /^id: (.+)$/m.exec(part) ?? [];
        const [, data] = /^data: (.+)$/m.exec(part) ?? [];
        if (id === undefined || data === undefined) continue;
        last = id;
        observed.receive({ receiver: webhooks, ids: [JSON.parse(data).id], isAnswered: true });
      }
    }
  };
  const setWatch = (isTrue: () => boolean, tell: () => void): (() => void) => {
    let isOver = false;
    const look = () => {
      if (isOver) return;
      if (isTrue()) return tell();
      scheduler.after(500, look);
    };
    look();
    return () => {
      isOver = true;
    };
  };

  /** Requests the replay of an event, and retries until a node answers with success. */
  const replay = async (asked: Replay): Promise<void> => {
    for (;;) {
      const heard = await cluster.call(anyNode(), {
        method: 'POST',
        path: `/v1/${names[asked.lane]}:replay`,
        headers: json,
        body: JSON.stringify({ eventIds: [asked.id] }),
      });
      if (heard?.status === 200)
        return observed.replay({ ...asked, replayed: heard.body.replayed });
      observed.judgeRefusal('replay', heard);
      await pause(100, 500);
    }
  };

  const post = (form: Record<string, string>, path = '/token') =>
    cluster.call(anyNode(), {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });

  /** A person signs in, and the client refreshes its tokens honestly; sometimes a thief has the code too. */
  const signIn = async (): Promise<void> => {
    const { codeVerifier, codeChallenge } = createPkce(random);
    const redirectUri = 'http://localhost:7777/callback';
    const issued = await cluster.inNode(anyNode(), ({ tokens }) =>
      tokens.grants.transaction((tx, revoke) =>
        tokens.grants.issueCode(
          { tx, revoke },
          {
            // The ids of a person and a client that exist only here.
            accountId: 'ann' as AccountId,
            clientId: 'app' as ClientId,
            scope: ['swap.read'],
            resources: [],
            identityProviderSessionId: undefined,
          },
          { redirectUri, codeChallenge, dpopThumbprint: undefined },
        ),
      ),
    );
    if (issued === undefined || 'error' in issued) return;
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: issued.value,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    };
    const tries = random.below(3) === 0 ? 2 : 1;
    const heard = await Promise.all(Array.from({ length: tries }, () => post(form)));
    // A client without an answer tries once more, perhaps at another node.
    if (tries === 1 && heard[0] === undefined) heard.push(await post(form));
    const redeemed = heard.filter((one) => one?.status === 200);
    observed.redeem({ code: issued.value, times: redeemed.length });
    for (const one of heard) if (one?.status !== 200) observed.judgeRefusal('token', one);
    const [first] = redeemed;
    if (tries > 1 || first === undefined) return;
    const held = await refresh(first.body);
    if (held === undefined) return;
    if (random.below(2) === 0) await revoke(held).then(() => revoked.push(held.access_token));
    else honoured.push(held.access_token);
  };
  /** Refreshes a few times as an honest client does. Returns the last tokens, or undefined if a refresh took too long. */
  const refresh = async (first: Tokens): Promise<Tokens | undefined> => {
    let held = first;
    for (let count = 0; count < 4; count++) {
      await pause(300, 1_500);
      const began = scheduler.now();
      for (;;) {
        const { refresh_token } = held;
        const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token };
        // Some clients have two tabs that find the token expired at the same moment.
        const tabs = random.below(4) === 0 ? 2 : 1;
        const heard = await Promise.all(Array.from({ length: tabs }, () => post(form)));
        // After so long the client has to ask the person again, which counts as no violation.
        if (scheduler.now() - began > 25_000) return undefined;
        for (const one of heard) if (one?.status !== 200) observed.judgeRefusal('refresh', one);
        if (heard.some((one) => one?.status === 400)) return undefined;
        const [answered, ...others] = heard.flatMap((one) => (one?.status === 200 ? [one] : []));
        if (answered !== undefined) {
          held = answered.body;
          for (const { body } of others) observed.compareSuccessors(held, body);
          break;
        }
        await pause(100, 300);
      }
    }
    return held;
  };
  const revoke = async ({ refresh_token }: Tokens): Promise<void> => {
    for (;;) {
      const heard = await post({ client_id: 'app', token: refresh_token }, '/revoke');
      if (heard?.status === 200) return;
      observed.judgeRefusal('revoke', heard);
      await pause(100, 500);
    }
  };

  const isLetIn = async (node: number, token: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` };
    const judged = await cluster.inNode(node, ({ tokens }) =>
      tokens.guard.check(new Request(`${publicUrl.origin}/mcp`, { headers })),
    );
    return judged !== undefined && 'value' in judged && judged.value.principal !== undefined;
  };

  const tick = async (): Promise<void> => {
    for (let count = 0; count < 6; count++) {
      const key = `k${random.below(2)}`;
      const written = await cluster.inNode(anyNode(), ({ database }, clock) =>
        database.transaction((tx) =>
          writeOutbox(tx, { topic: tickTopic, key, payload: count, occurredAt: clock.now() }),
        ),
      );
      if (written !== undefined && 'value' in written) observed.ticks.push({ key, count });
      await pause(200, 1_000);
    }
  };
  const schedule = async (): Promise<void> => {
    for (let count = 0; count < 4; count++) {
      const key = `w${count}`;
      const planned = await cluster.inNode(anyNode(), ({ database }, clock) =>
        database.transaction((tx) =>
          scheduleWork(tx, { kind: workKind, key, payload: null, dueAt: clock.now() + 2_000 }),
        ),
      );
      if (planned !== undefined && 'value' in planned) observed.planned.add(key);
      await pause(200, 1_500);
    }
  };

  return {
    async setUp(): Promise<void> {
      for (let lane = 0; lane < lanes; lane++) await subscribe(lane);
      void listen();
    },
    /** Starts all clients, and resolves when they have their answers. */
    async run(): Promise<void> {
      const signingIn = async () => {
        for (let count = 0; count < 2; count++) {
          await signIn();
          await pause(200, 1_000);
        }
      };
      await Promise.all([publish(0), publish(1), signingIn(), tick(), schedule()]);
    },
    replay,
    /** The tokens that a node judges wrongly: revoked but accepted, or valid but refused. */
    async judgeTokens({ isClockTrue }: { readonly isClockTrue: boolean }): Promise<string[]> {
      const wrong: string[] = [];
      for (let node = 0; node < nodes; node++) {
        for (const token of revoked) {
          if (await isLetIn(node, token)) wrong.push(`n${node} honours a token that was revoked`);
        }
        for (const token of isClockTrue ? honoured : []) {
          if (!(await isLetIn(node, token))) wrong.push(`n${node} refuses a token that is good`);
        }
      }
      return wrong;
    },
    /** Whether every node reports that it is healthy, and accepts an event. */
    async isHealthy(): Promise<boolean> {
      for (let node = 0; node < nodes; node++) {
        const heard = await cluster.call(node, { method: 'GET', path: '/health' });
        // A clock behind the times in the store is the one problem that a node may report.
        const hindrances = Object.keys(heard?.body.error?.details ?? {});
        const isWell = heard?.status === 200 || hindrances.join() === 'clock';
        if (!isWell) return false;
        const id = `probe-${probes++}`;
        const probe = { specversion: '1.0', id, source: '//simulation/probe', type: eventType };
        const published = await cluster.call(node, {
          method: 'POST',
          path: '/v1/events',
          headers: { 'content-type': 'application/cloudevents-batch+json' },
          body: JSON.stringify([{ ...probe, subject: targetOf(0), data: { file: { name: id } } }]),
        });
        if (published?.status !== 202) return false;
      }
      return true;
    },
  };
}
