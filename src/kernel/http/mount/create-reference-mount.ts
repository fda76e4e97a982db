import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import type { OpenApiDocument } from '../../operations/open-api-document.ts';
import { takesGzip } from '../messages/takes-gzip.ts';
import type { EdgeEnv } from './edge-env.ts';
import type { Mount } from './mount.ts';

/** Serves the description of the declared operations for programs: `/openapi.json`. */
export function createReferenceMount(document: OpenApiDocument): Mount {
  const app = new Hono<EdgeEnv>();
  // Written and packed once: it is large, and anybody may ask for it as often as they like (F62).
  const plain = Buffer.from(JSON.stringify(document));
  const packed = gzipSync(plain);
  app.get('/openapi.json', (c) => {
    const headers = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
    return takesGzip(c.req.raw)
      ? c.body(packed, 200, { ...headers, 'Content-Encoding': 'gzip' })
      : c.body(plain, 200, headers);
  });
  return { app, paths: { '/openapi.json': { origins: 'any' } } };
}
