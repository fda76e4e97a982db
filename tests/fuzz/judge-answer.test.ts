import { describe, expect, it } from 'vitest';
import { declaredServices } from '../../scripts/declared-services.ts';
import { createDice } from '../support/dice.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { judgeAnswer } from './judge-answer.ts';
import { createRequestMaker, type FuzzRequest } from './make-request.ts';

const make = createRequestMaker(declaredServices, 1);
const requestOf = (index: number) => make(createDice(createSeededFractions(index)));

const service = declaredServices[0]!;
const operation = service.operations.find(({ id }) => id === 'listChains')!;
const request: FuzzRequest = {
  service,
  operation,
  isAimed: true,
  method: 'GET',
  path: '/v1/chains',
  headers: {},
  body: undefined,
  credential: undefined,
};
const timestamp = '2030-01-01T00:00:00.000Z';
const refuse = (message: string) =>
  JSON.stringify({ success: false, error: { code: 'X', message }, timestamp });

describe('the judge of random requests [N7]', () => {
  it.each([
    ['a fault', 500, refuse('x'), 'not declared'],
    ['a status that is not declared', 502, refuse('x'), 'not declared'],
    ['a stack', 400, refuse('x\n    at f (a.ts:1:2)'), 'shows'],
    ['a path', 400, refuse('ENOENT /home/me/data/x'), 'shows'],
    ['a file of the source', 400, refuse('in src/swap/quote/quote.ts'), 'shows'],
    ['a statement', 400, refuse('SELECT id FROM clients'), 'shows'],
    ['no JSON', 200, '{', 'not'],
    ['another envelope', 400, '"oops"', 'envelope'],
    ['another answer', 200, '{"success":true}', 'beside its schema'],
  ])('finds %s', (_what, status, body, problem) => {
    const judged = judgeAnswer(request, { status, type: 'application/json', body });
    expect(judged).toContain(problem);
  });

  it('accepts declared answers, and echoes of what the caller sent', () => {
    const answer = { type: 'application/json', status: 200 };
    const body = JSON.stringify({ success: true, data: { chains: [] }, timestamp });
    expect(judgeAnswer(request, { ...answer, body })).toBeUndefined();
    const echoed = { ...request, path: '/v1/chains?x=%2Fhome%2Fme%2Fx' };
    const told = { ...answer, status: 400, body: refuse('x is /home/me/x') };
    expect(judgeAnswer(echoed, told)).toBeUndefined();
  });

  it('makes the same request for the same seed, and reaches every operation', () => {
    const made = Array.from({ length: 3_000 }, (_, index) => requestOf(index));
    expect(made.map((one) => one.path)).toEqual(made.map((_, index) => requestOf(index).path));
    const ids = new Set(made.map((one) => one.operation.id));
    const declared = declaredServices.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect([...ids].toSorted()).toEqual(declared.toSorted());
  });
});
