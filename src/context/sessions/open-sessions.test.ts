import { describe, expect, it } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  protect,
  tokenOf,
} from '../../../tests/support/context-endpoint.ts';
import { contextLimits } from '../limits.ts';
import { chooseOver } from './kept-sessions.ts';

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** The endpoint, where callers named `robot…` act for themselves. */
async function openSessions() {
  const context = await openContextEdge({
    async protect(request, requirement) {
      const caller = await protect(request, requirement);
      if (caller instanceof Response) return caller;
      return { ...caller, isPerson: !caller.subject.startsWith('robot') };
    },
  });
  const bearer = (who: string) => ({ Authorization: `Bearer ${tokenOf(who, 'swap.read')}` });
  return {
    async begin(who: string) {
      const response = await context.fetch(endpoint, message(initialize(), bearer(who)));
      await response.text();
      return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
    },
    async use(who: string, id: string) {
      const headers = { ...bearer(who), 'Mcp-Session-Id': id };
      const response = await context.fetch(endpoint, message(list, headers));
      await response.text();
      return response.status;
    },
    close: () => context.close(),
  };
}

/** So many are few, where others have 64. */
const few8 = 8;

it('ends no session of a caller with few, however many sessions others begin [F15]', async () => {
  const { begin, use, close } = await openSessions();
  const most = contextLimits.sessionsOfCaller.value;
  const robots = contextLimits.sessions.value / most + 1;
  const few: string[] = [];
  for (let count = 0; count < few8; count += 1) few.push((await begin('robot')).id);
  const ann = await begin('ann');
  for (let robot = 0; robot < robots; robot += 1) {
    for (let count = 0; count <= most; count += 1) await begin(`robot ${robot}`);
  }
  expect(await use('ann', ann.id)).toBe(200);
  for (const id of few) expect(await use('robot', id)).toBe(200);
  expect((await begin('bob')).status).toBe(200);
  await close();
});

it('has a place for a caller who comes after others took them all [N5]', async () => {
  const { begin, use, close } = await openSessions();
  const most = contextLimits.sessionsOfCaller.value;
  for (let robot = 0; robot < contextLimits.sessions.value / most; robot += 1) {
    for (let count = 0; count < most; count += 1) await begin(`robot ${robot}`);
  }
  const late = await begin('robot late');
  expect(late.status).toBe(200);
  expect(await use('robot late', late.id)).toBe(200);
  await close();
});

it('has a place for a caller who comes after 64 others took 8 each [F43]', async () => {
  const { begin, use, close } = await openSessions();
  const begun: string[] = [];
  for (let robot = 0; robot < contextLimits.sessions.value / few8; robot += 1) {
    for (let count = 0; count < few8; count += 1) begun.push((await begin(`robot ${robot}`)).id);
  }
  const late = await begin('robot late');
  expect(late.status).toBe(200);
  expect(await use('robot late', late.id)).toBe(200);
  const outcomes = [];
  for (const [n, id] of begun.entries())
    outcomes.push(await use(`robot ${Math.floor(n / few8)}`, id));
  expect(outcomes.filter((status) => status === 404)).toHaveLength(1);
  await close();
});

describe('where all places are taken', () => {
  const { sessions: places, sessionsOfAccount, sessionsOfCaller } = contextLimits;
  const owned = (owner: string, count: number, account = owner) =>
    Array.from({ length: count }, (_, index) => ({ owner, account, isPerson: false, index }));
  /** Fills the remaining places with sessions of others, who have few each. */
  const filled = (each: number, ...some: ReturnType<typeof owned>) => {
    const rest = places.value - some.length;
    const others = Array.from({ length: rest }, (_, index) =>
      owned(`other ${Math.floor(index / each)}`, 1),
    );
    return [...some, ...others.flat()];
  };
  const newcomer = { owner: 'new', account: 'new', isPerson: false };

  it('ends the least recently used session of the caller with the most [N5]', () => {
    const sessions = filled(few8, ...owned('some', few8 + 1), ...owned('most', few8 + 2));
    const { over, isRoom } = chooseOver(sessions, newcomer);
    expect(isRoom).toBe(true);
    expect(over).toEqual(owned('most', 1));
  });

  it('refuses a new session rather than end one of a caller with few [F15]', () => {
    expect(chooseOver(filled(1), newcomer)).toEqual({ over: [], isRoom: false });
    expect(chooseOver(filled(2), newcomer)).toMatchObject({ isRoom: true });
  });

  it('counts the sessions of all clients of an account together, and ends one of the client with the most [F43]', () => {
    const clients = Array.from({ length: 64 }, (_, n) => owned(`client ${n}`, few8, 'one')).flat();
    const { over, isRoom } = chooseOver([...owned('other', 1, 'two'), ...clients], newcomer);
    expect([over.map(({ account }) => account), isRoom]).toEqual([['one', 'one'], true]);
    const most = sessionsOfAccount.value - sessionsOfCaller.value;
    const ofAccount = [
      ...owned('busy', sessionsOfCaller.value, 'new'),
      ...Array.from({ length: most }, (_, n) => owned(`client ${n}`, 1, 'new')).flat(),
    ];
    const { over: ended } = chooseOver(ofAccount, newcomer);
    expect(ended).toEqual(owned('busy', 1, 'new'));
  });

  it('ends a session of the new caller if it has as many as the others [F15]', () => {
    for (const lead of [0, 1]) {
      const sessions = filled(few8, ...owned('new', 20), ...owned('most', 20 + lead));
      const { over } = chooseOver(sessions, newcomer);
      expect(over).toEqual(owned('new', 1));
    }
  });
});
