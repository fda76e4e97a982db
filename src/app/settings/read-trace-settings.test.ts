import { expect, it } from 'vitest';
import { readTraceSettings } from './read-trace-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

it('sends nothing without an endpoint, and spans to their path below it [T5]', () => {
  expect(readTraceSettings({})).toEqual({ traces: undefined, problems: [] });
  const { traces } = readTraceSettings({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x=1',
    OTEL_SERVICE_NAME: 'quotes',
  });
  expect(traces?.url.href).toBe('http://collector:4318/v1/traces');
  expect(traces).toMatchObject({ headers: { 'api-key': 'a b', x: '1' }, serviceName: 'quotes' });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'OTEL_EXPORTER_OTLP_HEADERS must be'],
])('says what is wrong in %j, and no secret', (environment, problem) => {
  const { problems } = readTraceSettings(environment);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).not.toContain('secret');
});
