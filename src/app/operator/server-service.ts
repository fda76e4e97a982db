import { z } from 'zod';
import type { Operation } from '../../kernel/operations/operation.ts';
import type { Service } from '../../kernel/operations/service.ts';
import { errorEnvelope, successEnvelope } from '../../swap/wire.ts';
import { systemOperation } from './system-operation.ts';

const health = successEnvelope(
  z.object({
    status: z.literal('ok'),
    nats: z.string().optional().describe('What the NATS server lacks, where it is used.'),
  }),
).meta({ id: 'HealthEnvelope' });

const get = (
  given: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'answer'> & Partial<Operation>,
): Operation => ({ method: 'GET', parameters: z.object({}), scopes: [], errors: {}, ...given });

/** What the process reports about itself, whichever services it runs. */
export const serverService: Service = {
  name: 'Server',
  description: 'Information about the server itself.',
  error: errorEnvelope,
  operations: [
    systemOperation,
    get({
      id: 'getHealth',
      path: '/health',
      summary: 'Health',
      description: 'Whether the server can answer now.',
      answer: { schema: health },
      errors: { 503: 'NOT_READY: details names the cause.' },
    }),
    get({
      id: 'getMetrics',
      path: '/metrics',
      summary: 'Metrics',
      description: 'Measures of the process for Prometheus.',
      answer: { type: 'text/plain' },
      errors: { 401: 'Off loopback it needs a token.', 403: 'The token must be an admin’s.' },
    }),
    get({
      id: 'getOpenApi',
      path: '/openapi.json',
      summary: 'OpenAPI document',
      description: 'This description.',
      answer: { schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }) },
    }),
    get({
      id: 'getLlmsText',
      path: '/llms.txt',
      summary: 'What language models should know',
      description: 'What runs here and every operation, as Markdown for language models.',
      answer: { type: 'text/plain' },
    }),
  ],
};
