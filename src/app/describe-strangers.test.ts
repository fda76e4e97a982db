import { expect, test } from 'vitest';
import { describeStrangers } from './describe-strangers.ts';
import { readConfig } from './settings/load-config.ts';

const told = (environment: Record<string, string>) =>
  describeStrangers(readConfig({ environment, flags: {} }).config).map(({ of }) => of);

test('says that whom the identity provider has ended still signs in by what else they linked [F54]', () => {
  const provider = { TRADEWIND_IDP_ISSUER: 'https://login.example', TRADEWIND_IDP_CLIENT_ID: 'a' };
  expect(told(provider)).toContain('people whom login.example has ended');
  expect(told({}).join()).not.toContain('ended');
});
