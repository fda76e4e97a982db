import { Hono } from 'hono';
import type { EdgeEnv } from '../http/edge-env.ts';
import type { Mount } from '../http/mount.ts';
import { packAnswer } from '../http/pack-answer.ts';
import type { OpenApiDocument } from './open-api-document.ts';

/** What the server says of its declared operations, for machines: `/openapi.json`. */
export function createReferenceMount(document: OpenApiDocument): Mount {
  const app = new Hono<EdgeEnv>();
  app.get('/openapi.json', (c) => packAnswer(c.req.raw, c.json(document)));
  return { app, paths: { '/openapi.json': { origins: 'any' } } };
}
