import { Hono } from 'hono';
import { createEdge, type Edge } from '../kernel/http/create-edge.ts';
import type { GateOptions } from '../kernel/http/gate/create-gate.ts';
import { EdgeError } from '../kernel/http/messages/edge-error.ts';
import type { EdgeEnv } from '../kernel/http/mount/edge-env.ts';
import type { Health } from '../kernel/lifecycle/health.ts';

/** The edge while the parts are being opened: every path answers 503 and what is not ready yet (H11). */
export function createStartingEdge(options: {
  readonly health: Health;
  readonly edge: Omit<GateOptions, 'mounts'>;
}): Edge {
  const app = new Hono<EdgeEnv>();
  app.all('/*', () => {
    throw new EdgeError('NOT_READY', 'This process is still starting: ask again in a moment.', {
      details: options.health.hindrances(),
      headers: { 'Retry-After': '1' },
    });
  });
  return createEdge({
    ...options.edge,
    mounts: [{ app, paths: { '/*': { origins: 'any', isProbe: true } } }],
  });
}
