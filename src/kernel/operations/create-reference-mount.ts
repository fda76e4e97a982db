import { Hono } from 'hono';
import type { EdgeEnv } from '../http/edge-env.ts';
import type { Mount } from '../http/mount.ts';
import { describeOpenApi } from './describe-open-api.ts';
import { renderDocsPage } from './render-docs-page.ts';
import type { Service } from './service.ts';

/** What the server says of its declared operations: `/openapi.json` for machines, `/docs` for people. */
export function createReferenceMount(services: readonly Service[], publicUrl: URL): Mount {
  const document = describeOpenApi(services, publicUrl.origin);
  const app = new Hono<EdgeEnv>();
  app.get('/openapi.json', (c) => c.json(document));
  app.get(
    '/docs',
    renderDocsPage(
      document,
      services.flatMap(({ sample = [] }) => sample),
    ),
  );
  const origins = 'any';
  return { app, paths: { '/openapi.json': { origins }, '/docs': { origins } } };
}
