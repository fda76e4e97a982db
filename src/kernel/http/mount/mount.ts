import type { Hono } from 'hono';
import type { Service } from '../../operations/service.ts';
import type { AnswerOperation, DirectOperations } from './answer-operation.ts';
import type { EdgeEnv } from './edge-env.ts';
import type { Endpoint } from './endpoint.ts';
import type { PathPolicy } from './path-policy.ts';
import type { WriteRefusal } from './write-refusal.ts';

/** A service on the edge: what it serves, the paths it owns, and how refusals on those are written. */
export type Mount = {
  app?: Hono<EdgeEnv>;
  /** Endpoints that are called so often that they are served without the app. */
  endpoints?: readonly Endpoint[];
  /**
   * By pattern as Hono writes it; `/v1/subscriptions/*` includes `/v1/subscriptions`. Where several
   * patterns fit, the first decides.
   */
  paths: Readonly<Record<string, PathPolicy>>;
  writeRefusal?: WriteRefusal;
  /** The declared operations, from which the server describes itself. */
  service?: Service;
  /** Answers the operations of the service. Without it the app and the endpoints do. */
  answer?: AnswerOperation;
  /** Of these operations, those that are called so often that they are served without the app. */
  direct?: DirectOperations;
};
