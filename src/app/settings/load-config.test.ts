import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './load-config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig({ environment, flags: {} });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const everySettingWrong = {
  TRADEWIND_PORT: '99999',
  TRADEWIND_HOST: 'http://here',
  TRADEWIND_PUBLIC_URL: 'localhost',
  TRADEWIND_DATABASE_URL: 'mysql://root:hunter2@db/x',
  TRADEWIND_NATS_URL: 'http://nats',
  TRADEWIND_SERVICES: 'swap,swaps',
  TRADEWIND_CHAINS: '1,one',
  TRADEWIND_RPC_1: 'ws://node',
  TRADEWIND_RPC_main: 'https://node.example',
  TRADEWIND_DEVCHAIN: 'on',
  TRADEWIND_OWNER_PASSWORD: 'hunter2',
  TRADEWIND_REGISTRATION: 'closed',
  TRADEWIND_RATE_LIMIT: '0',
  TRADEWIND_IDP_ISSUER: 'login.example.com',
  TRADEWIND_IDP_CLIENT_ID: 'tradewind',
  TRADEWIND_UPSTREAM_URL: 'quotes',
  TRADEWIND_WEBHOOK_ALLOW: 'intranet',
  TRADEWIND_FOLDERS: '/srv/reports',
  TRADEWIND_RETRY_FIRST: '1',
  TRADEWIND_RETRY_MAX: 'never',
  TRADEWIND_RETRY_WINDOW: '10',
  TRADEWIND_EVENT_RETENTION: '7 days',
  TRADEWIND_TLS_CERT: '/nowhere/cert.pem',
  TRADEWIND_TRUSTED_PROXY: 'proxy.example.com',
  TRADEWIND_LOG_LEVEL: 'loud',
  TRADEWIND_LOG_FORMAT: 'xml',
};

describe('loadConfig', () => {
  it('starts with nothing set', () => {
    const { config, warnings } = loadConfig({ environment: {}, flags: {} });
    expect(config.server).toMatchObject({ port: 8787, host: '127.0.0.1', dataDir: './data' });
    expect(config.server.services).toEqual(['swap', 'authorization', 'events', 'context']);
    expect(warnings).toEqual([]);
  });

  it('reports every wrong setting in one start, each with a line of its own [H3]', () => {
    const problems = problemsOf(everySettingWrong);
    for (const variable of Object.keys(everySettingWrong)) {
      expect(problems.filter((line) => line.includes(variable))).not.toHaveLength(0);
    }
    expect(problems.length).toBeGreaterThanOrEqual(Object.keys(everySettingWrong).length);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  it('refuses plain HTTP where others can reach it, unless a TLS proxy is declared [H41, S13]', () => {
    const open = { TRADEWIND_HOST: '0.0.0.0', TRADEWIND_PUBLIC_URL: 'https://t.example.com' };
    expect(problemsOf(open)).toEqual([expect.stringContaining('TRADEWIND_TRUSTED_PROXY')]);
    expect(problemsOf({ ...open, TRADEWIND_TRUSTED_PROXY: '10.0.0.5' })).toEqual([]);
  });

  it('wants an https public address unless it is localhost', () => {
    expect(problemsOf({ TRADEWIND_PUBLIC_URL: 'http://t.example.com' })).toHaveLength(1);
    expect(problemsOf({ TRADEWIND_PUBLIC_URL: 'http://localhost:9000' })).toEqual([]);
  });

  it('requires an issuer for the tokens that the services check', () => {
    const alone = { TRADEWIND_SERVICES: 'swap,context' };
    expect(problemsOf(alone)).toEqual([expect.stringContaining('add authorization')]);
    const shared = { ...alone, TRADEWIND_DATABASE_URL: 'postgres://u:secret@localhost/t' };
    expect(problemsOf(shared)).toEqual([]);
  });

  it('refuses a first retry pause above the longest, and accepts a window shorter than the pauses', () => {
    expect(problemsOf({ TRADEWIND_RETRY_FIRST: '2h' })).toEqual([
      expect.stringContaining('TRADEWIND_RETRY_FIRST is 7200000 ms'),
    ]);
    expect(problemsOf({ TRADEWIND_RETRY_WINDOW: '5s' })).toEqual([]);
  });

  it('warns of a variable that looks like a setting and is none [H4]', () => {
    const { warnings } = loadConfig({
      environment: { TRADEWIND_PROT: '1', TRADEWIND_CLIENT_ID: 'x', TRADEWIND_RPC_1: 'http://a' },
      flags: {},
    });
    expect(warnings).toEqual([expect.stringContaining('TRADEWIND_PROT')]);
  });
});
