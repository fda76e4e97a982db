import { expect, test } from 'vitest';
import { OutboundError, type OutboundErrorCode } from '../../../kernel/outbound/guard-addresses.ts';
import { classifyAnswer, classifyFailure } from './classify-answer.ts';

const answer = (status: number, headers = {}) => classifyAnswer({ status, headers }, 0);

test.each([200, 201, 202, 204, 299])('%i accepts [E14.27]', (status) => {
  expect(answer(status)).toEqual({ isAccepted: true, status });
});

test.each([100, 301, 302, 307, 400, 500, 503])(
  '%i is a failure with the reason OTHER [E14.27, E2.37]',
  (status) => {
    expect(answer(status)).toMatchObject({
      isAccepted: false,
      status,
      reason: 'OTHER',
      isFinal: false,
    });
  },
);

test.each([
  [401, 'ENDPOINT_PERMISSION_DENIED'],
  [403, 'ENDPOINT_PERMISSION_DENIED'],
  [404, 'ENDPOINT_NOT_FOUND'],
  [429, 'ENDPOINT_RESOURCE_EXHAUSTED'],
])('%i would suspend with %s [E2.34, E2.35, E2.36]', (status, reason) => {
  expect(answer(status)).toMatchObject({ reason, isFinal: false });
});

test('410 is final [E2.38]', () => {
  expect(answer(410)).toMatchObject({ reason: 'ENDPOINT_NOT_FOUND', isFinal: true });
});

test.each<[OutboundErrorCode, string]>([
  ['NAME_NOT_FOUND', 'ENDPOINT_NOT_FOUND'],
  ['ADDRESS_REFUSED', 'ENDPOINT_PERMISSION_DENIED'],
  ['TIMED_OUT', 'OTHER'],
  ['TLS_FAILED', 'OTHER'],
  ['CONNECT_FAILED', 'OTHER'],
])('%s would suspend with %s [E2.35, E2.37]', (code, reason) => {
  const failure = classifyFailure(new OutboundError(code, 'why'));
  expect(failure).toMatchObject({ reason, isFinal: false, isUnreachable: true });
  expect(failure.error).toContain('why');
});

test('an error that is not of the endpoint is thrown on', () => {
  expect(() => classifyFailure(new TypeError('bug'))).toThrow('bug');
});

test('Retry-After is seconds or a date [E14.29]', () => {
  const retryAfter = (value: string) => answer(503, { 'retry-after': value });
  expect(retryAfter('120')).toMatchObject({ retryAfter: 120_000 });
  expect(retryAfter('Thu, 01 Jan 1970 00:00:30 GMT')).toMatchObject({ retryAfter: 30_000 });
  expect(retryAfter('soon')).not.toHaveProperty('retryAfter');
});
