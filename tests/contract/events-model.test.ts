import { describe, expect, test } from 'vitest';
import { EventsError } from '../../src/events/model/events-error.ts';
import {
  type SubscriptionId,
  type SuspensionReason,
  suspensionReasons,
} from '../../src/events/model/subscription.ts';
import { createSubscription } from '../../src/events/subscriptions/create-subscription.ts';
import { deleteSubscription } from '../../src/events/subscriptions/delete-subscription.ts';
import { getSubscription } from '../../src/events/subscriptions/get-subscription.ts';
import { createMomentWorker } from '../../src/events/subscriptions/lifecycle/create-moment-worker.ts';
import { suspendSubscription } from '../../src/events/subscriptions/lifecycle/suspend-subscription.ts';
import { listSubscriptions } from '../../src/events/subscriptions/list-subscriptions.ts';
import { patchSubscription } from '../../src/events/subscriptions/patch-subscription.ts';
import { reactivateSubscription } from '../../src/events/subscriptions/reactivate-subscription.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createDice, type Dice } from '../support/dice.ts';
import { openSubscriptions } from '../support/open-subscriptions.ts';
import {
  fileCreated,
  fileDeleted,
  newSubscriptionBody,
  testCallers,
} from '../support/open-test-events.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { whenNoWorkIsDue } from '../support/work-left.ts';

const caller = testCallers.alice!;
/** How many sequences are played on each engine; `TEST_ROUNDS` asks for more. */
const sequences = Number(process.env.TEST_ROUNDS ?? 4);
const targets = ['1', '2', '3'].map((id) => `//drive.googleapis.com/files/${id}`);
const lifetimes = [60, 3_600, 14_400, 86_400, 604_800];

/** The expected state of a subscription, kept in the plainest way. */
type Model = {
  name: string;
  state: 'ACTIVE' | 'SUSPENDED';
  reason: SuspensionReason | undefined;
  expiresAt: number;
  eventTypes: string[];
};

/** Applies random operations to subscriptions and to the model, and compares the two after each. */
async function play(
  world: Awaited<ReturnType<typeof openSubscriptions>>,
  dice: Dice,
  actions: number,
) {
  const { context, clock, told } = world;
  const models = new Map<string, Model>();
  const names = new Set(['subscriptions/none']);
  const expected = { suspended: 0, expired: 0 };

  const find = (name: string) => [...models.values()].find((model) => model.name === name);
  const outcome = async (doing: Promise<unknown>) => {
    try {
      await doing;
      return 'OK';
    } catch (error) {
      if (error instanceof EventsError) return error.code;
      throw error;
    }
  };
  const expire = () => {
    for (const [target, { expiresAt }] of models) {
      if (expiresAt > clock.now()) continue;
      models.delete(target);
      expected.expired += 1;
    }
  };

  const steps: Record<string, (name: string) => Promise<[string, string]>> = {
    async create() {
      const targetResource = dice.pick(targets);
      const seconds = dice.pick(lifetimes);
      const eventTypes = dice.pick([[fileCreated], [fileDeleted], [fileCreated, fileDeleted]]);
      const body = newSubscriptionBody({ targetResource, eventTypes, ttl: `${seconds}s` });
      const isTaken = models.has(targetResource);
      let name = '';
      const did = await outcome(
        createSubscription(context, { caller, body }).then(({ response }) => {
          name = String(response?.name);
        }),
      );
      if (isTaken) return [did, 'ALREADY_EXISTS'];
      const expiresAt = clock.now() + seconds * 1_000;
      models.set(targetResource, {
        name,
        state: 'ACTIVE',
        reason: undefined,
        expiresAt,
        eventTypes,
      });
      names.add(name);
      return [did, 'OK'];
    },
    async renew(name) {
      const seconds = dice.pick(lifetimes);
      const did = await outcome(
        patchSubscription(context, { caller, name, body: { ttl: `${seconds}s` } }),
      );
      const model = find(name);
      if (model === undefined) return [did, 'NOT_FOUND'];
      model.expiresAt = clock.now() + seconds * 1_000;
      return [did, 'OK'];
    },
    async retype(name) {
      const eventTypes = dice.pick([[fileCreated], [fileDeleted]]);
      const did = await outcome(patchSubscription(context, { caller, name, body: { eventTypes } }));
      const model = find(name);
      if (model === undefined) return [did, 'NOT_FOUND'];
      model.eventTypes = eventTypes;
      return [did, 'OK'];
    },
    async suspend(name) {
      const reason = dice.pick(suspensionReasons);
      const id = name.split('/')[1] as SubscriptionId;
      const did = await suspendSubscription(context, { id, reason });
      const model = find(name);
      if (model?.state !== 'ACTIVE') return [String(did), 'false'];
      Object.assign(model, { state: 'SUSPENDED', reason });
      expected.suspended += 1;
      return [String(did), 'true'];
    },
    async reactivate(name) {
      const did = await outcome(reactivateSubscription(context, { caller, name }));
      const model = find(name);
      if (model === undefined) return [did, 'NOT_FOUND'];
      if (model.state === 'ACTIVE') return [did, 'FAILED_PRECONDITION'];
      Object.assign(model, { state: 'ACTIVE', reason: undefined });
      return [did, 'OK'];
    },
    async delete(name) {
      const allowMissing = true;
      const did = await outcome(deleteSubscription(context, { caller, name, allowMissing }));
      for (const [target, model] of models) if (model.name === name) models.delete(target);
      return [did, 'OK'];
    },
    async wait() {
      clock.advance(Math.floor(dice.magnitude(1_000, 3 * 86_400_000)));
      expire();
      return ['OK', 'OK'];
    },
    async wake() {
      const { stop } = startWorker(createMomentWorker(context));
      await whenNoWorkIsDue(context.database, clock.now());
      await stop();
      return ['OK', 'OK'];
    },
  };

  for (let count = 0; count < actions; count++) {
    const action = dice.pick(Object.keys(steps));
    const name = dice.pick([...names]);
    const [did, should] = await steps[action]!(name);
    expect({ count, action, did }).toEqual({ count, action, did: should });
    await compare();
  }
  await steps.wake!('');
  const counted = (type: string) => told.filter((event) => event.type.endsWith(`.${type}`)).length;
  expect(counted('suspended')).toBe(expected.suspended);
  expect(counted('expired')).toBe(expected.expired);
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);

  async function compare(): Promise<void> {
    const filter = `event_types:"${fileCreated}" OR event_types:"${fileDeleted}"`;
    const { subscriptions = [] } = await listSubscriptions(context, { caller, filter });
    expect(subscriptions.map(({ name }) => name).sort()).toEqual(
      [...models.values()].map(({ name }) => name).sort(),
    );
    for (const [targetResource, { name, state, reason, expiresAt, eventTypes }] of models) {
      const shown = await getSubscription(context, { caller, name });
      expect(shown).toMatchObject({ targetResource, state, eventTypes });
      expect(shown.suspensionReason).toBe(reason);
      expect(Date.parse(shown.expireTime ?? '')).toBe(expiresAt);
      const matches = await context.database.all<{ event_type: string }>(
        sql`SELECT event_type FROM events_matches WHERE subscription_id = ${name.split('/')[1]!}`,
      );
      expect(matches.map((match) => match.event_type).sort()).toEqual([...eventTypes].sort());
    }
  }
}

describe.each(migratedEngines)('the state machine on $engine', ({ createStore }) => {
  test('does what a plain model does, whatever happens to it [E5.1, E5.2, E5.3, E5.4, E5.5, E5.7, E5.8, E5.11]', async () => {
    for (let seed = 1; seed <= sequences; seed++) {
      const world = await openSubscriptions(await (await createStore()).open());
      await play(world, createDice(createSeededFractions(seed)), 60);
    }
  });
});
