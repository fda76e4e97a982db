import { Hono } from 'hono';
import type { OpenApiDocument } from '../../operations/open-api-document.ts';
import { packAnswer } from '../messages/pack-answer.ts';
import type { EdgeEnv } from './edge-env.ts';
import type { Mount } from './mount.ts';

/** Serves the description of the declared operations for programs: `/openapi.json`. */
export function createReferenceMount(document: OpenApiDocument): Mount {
  const app = new Hono<EdgeEnv>();
  app.get('/openapi.json', (c) => packAnswer(c.req.raw, c.json(document)));
  return { app, paths: { '/openapi.json': { origins: 'any' } } };
}
