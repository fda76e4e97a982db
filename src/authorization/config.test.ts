import { expect, it } from 'vitest';
import { readSettings } from '../kernel/process/settings.ts';
import { authorizationSettings } from './config.ts';

const read = (environment: Record<string, string>) =>
  readSettings(authorizationSettings, { environment, flags: {} });

it('has access tokens live ten minutes and refresh tokens thirty days [S12]', () => {
  expect(read({}).values).toMatchObject({
    accessTokenLifetime: 600_000,
    refreshTokenLifetime: 30 * 24 * 3_600_000,
  });
});

it.each([
  ['TRADEWIND_ACCESS_TOKEN_LIFETIME', '61m', /at most 1h/],
  ['TRADEWIND_REFRESH_TOKEN_LIFETIME', '366d', /at most 365d/],
])('does not let %s be %s [S12]', (name, value, rule) => {
  expect(JSON.stringify(read({ [name]: value }).problems)).toMatch(rule);
});
