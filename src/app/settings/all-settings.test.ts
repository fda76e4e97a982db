import { expect, it } from 'vitest';
import { describeSettings } from './all-settings.ts';
import { loadConfig } from './load-config.ts';

it('shows every setting in force and no secret [K8]', () => {
  const environment = {
    TRADEWIND_DATABASE_URL: 'postgres://tradewind:hunter2@db.example/tradewind',
    TRADEWIND_OWNER_PASSWORD: 'correct-horse-battery',
    TRADEWIND_RPC_1: 'https://rpc.example/v3/0123456789abcdef',
    TRADEWIND_PORT: '9999',
    TRADEWIND_CHAINS: '1,31337',
  };
  const { config } = loadConfig({ environment, flags: {} });
  const settings = describeSettings(config);
  const inForce = (name: string) => settings.find((one) => one.name === name)?.value;
  expect(inForce('TRADEWIND_PORT')).toBe('9999');
  expect(inForce('TRADEWIND_CHAINS')).toBe('1, 31337');
  expect(inForce('TRADEWIND_NATS_URL')).toBeUndefined();
  expect(inForce('TRADEWIND_DATABASE_TIMEOUT')).toBe('10s');
  expect(inForce('TRADEWIND_PUBLISH_QUOTA')).toBe('50MB');
  expect(inForce('TRADEWIND_DATABASE_URL')).toBe('set, not shown');
  expect(inForce('TRADEWIND_RPC_*')).toBe('set, not shown');
  const text = JSON.stringify(settings);
  for (const secret of ['hunter2', 'correct-horse', '0123456789abcdef']) {
    expect(text).not.toContain(secret);
  }
});
