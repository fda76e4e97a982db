import { expect, test } from 'vitest';
import type { Subscription } from '../../model/subscription.ts';
import { longestLifetime, nextMoment } from './lifetime.ts';
import { type Trigger, transition } from './transition.ts';

const hour = 3_600_000;
// Only what the state machine looks at.
const subscription = (state: Subscription['state']) =>
  ({
    state,
    suspensionReason: state === 'SUSPENDED' ? 'ENDPOINT_NOT_FOUND' : undefined,
    eventTypes: ['a'],
    updatedAt: 0,
    expiresAt: 1_000,
    revision: 7,
  }) as unknown as Subscription;

const triggers: Record<Trigger['kind'], Trigger> = {
  patch: { kind: 'patch', expiresAt: 2_000 },
  suspend: { kind: 'suspend', reason: 'OTHER' },
  reactivate: { kind: 'reactivate' },
  delete: { kind: 'delete' },
  expire: { kind: 'expire' },
  refresh: { kind: 'refresh', expiresAt: 2_000 },
  terminate: { kind: 'terminate', reason: 'USER_SCOPE_REVOKED' },
  unsubscribe: { kind: 'unsubscribe' },
};

test.each([
  ['ACTIVE', 'patch', 'ACTIVE'],
  ['ACTIVE', 'suspend', 'SUSPENDED'],
  ['ACTIVE', 'reactivate', 'NOT_SUSPENDED'],
  ['ACTIVE', 'delete', 'DELETED'],
  ['ACTIVE', 'expire', 'NOT_DUE'],
  ['SUSPENDED', 'patch', 'SUSPENDED'],
  ['SUSPENDED', 'suspend', 'UNCHANGED'],
  ['SUSPENDED', 'reactivate', 'ACTIVE'],
  ['SUSPENDED', 'delete', 'DELETED'],
  ['SUSPENDED', 'expire', 'NOT_DUE'],
  ['DELETED', 'patch', 'GONE'],
  ['DELETED', 'suspend', 'GONE'],
  ['DELETED', 'reactivate', 'GONE'],
  ['DELETED', 'delete', 'GONE'],
  ['DELETED', 'expire', 'GONE'],
] as const)('%s by %s gives %s [E5.2, E5.3, E5.4, E5.5, E5.8]', (state, trigger, expected) => {
  const before = subscription(state);
  const { next, refusal } = transition(before, { trigger: triggers[trigger], now: 999 });
  expect(next?.state ?? refusal).toBe(expected);
  if (next === undefined) return;
  expect(next).toMatchObject({ revision: 8, updatedAt: 999 });
  const keepsReason = trigger === 'patch' && state === 'SUSPENDED';
  const reason = trigger === 'suspend' ? 'OTHER' : keepsReason ? 'ENDPOINT_NOT_FOUND' : undefined;
  expect(next.suspensionReason).toBe(reason);
});

test.each(['ACTIVE', 'SUSPENDED'] as const)(
  '%s refuses every trigger but expire once it has expired [E5.7]',
  (state) => {
    const before = subscription(state);
    expect(transition(before, { trigger: triggers.expire, now: 1_000 }).next?.state).toBe(
      'DELETED',
    );
    for (const kind of ['patch', 'suspend', 'reactivate', 'delete'] as const) {
      expect(transition(before, { trigger: triggers[kind], now: 1_000 }).refusal).toBe('GONE');
    }
  },
);

test('a patch of nothing changes nothing [E3.18]', () => {
  const empty = { trigger: { kind: 'patch' }, now: 0 } as const;
  expect(transition(subscription('ACTIVE'), empty).refusal).toBe('UNCHANGED');
});

test('reminders come 12 hours and 1 hour before the end, if that is still ahead [E5.6, E5.9]', () => {
  const end = 100 * hour;
  expect(nextMoment(end, 0)).toEqual({ moment: 'twelve-hours-before', at: 88 * hour });
  expect(nextMoment(end, 88 * hour)).toEqual({ moment: 'one-hour-before', at: 99 * hour });
  expect(nextMoment(4 * hour, 0)).toEqual({ moment: 'one-hour-before', at: 3 * hour });
  expect(nextMoment(end, 99 * hour)).toEqual({ moment: 'end', at: end });
  expect(nextMoment(end, 200 * hour)).toEqual({ moment: 'end', at: end });
});

test('the longest lifetime is 7 days, or 4 hours with the resource [E6.1, E6.2]', () => {
  expect(longestLifetime(undefined)).toBe(604_800_000);
  expect(longestLifetime({ includeResource: false, fieldMask: [] })).toBe(604_800_000);
  expect(longestLifetime({ includeResource: true, fieldMask: [] })).toBe(14_400_000);
});
