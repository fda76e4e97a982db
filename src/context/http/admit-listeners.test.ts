import { expect, it } from 'vitest';
import type { ContextCaller } from '../caller.ts';
import { contextLimits } from '../limits.ts';
import { admitListeners } from './admit-listeners.ts';

const { listeners, listenersOfAccount, listenersOfCaller } = contextLimits;
const callerOf = (subject: string, clientId = 'agent'): ContextCaller => ({
  ...{ subject, clientId, isPerson: true, scope: [], expiresAt: Number.POSITIVE_INFINITY },
});

function open() {
  const admission = admitListeners();
  const ended: string[] = [];
  return {
    ended,
    enter: (caller: ContextCaller) =>
      admission.enter(caller, { pairs: 0, end: () => void ended.push(caller.subject) }),
  };
}

it('has a stream for a newcomer after few accounts took all of them [F43]', () => {
  const { enter, ended } = open();
  const clients = listenersOfAccount.value / listenersOfCaller.value;
  for (let person = 0; person < listeners.value / listenersOfAccount.value; person++) {
    for (let client = 0; client < clients; client++) {
      for (let count = 0; count < listenersOfCaller.value; count++) {
        expect(enter(callerOf(`person ${person}`, `client ${client}`))).toHaveProperty('leave');
      }
    }
  }
  expect(ended).toEqual([]);
  expect(enter(callerOf('late'))).toHaveProperty('leave');
  expect(ended).toEqual(['person 0']);
});

it('bounds the streams of all clients of an account together, and says so with 429 [F43]', () => {
  const { enter } = open();
  for (let count = 0; count < listenersOfAccount.value; count++) {
    enter(callerOf('ann', `client ${count}`));
  }
  expect(enter(callerOf('ann', 'another'))).toEqual({
    refusal: expect.stringContaining('Your account has 256 open streams'),
    status: 429,
  });
});

it('says with 503 that all places are taken, where each account has one [F43]', () => {
  const { enter, ended } = open();
  for (let count = 0; count < listeners.value; count++) enter(callerOf(`person ${count}`));
  expect(enter(callerOf('late'))).toMatchObject({ status: 503 });
  expect(ended).toEqual([]);
});
