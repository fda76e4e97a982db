import { z } from 'zod';
import type { Service } from '../kernel/operations/service.ts';
import { oauthOperations } from './server/metadata/oauth-operations.ts';
import { pageOperations } from './server/people/routes/page-operations.ts';

const error = z
  .object({
    error: z.string().describe('The OAuth error code, for programs.'),
    error_description: z.string().optional().describe('The explanation, for people.'),
  })
  .meta({ id: 'OAuthError', description: 'What every refusal looks like (RFC 6749 section 5.2).' });

/**
 * The description of the authorization server. Its endpoints are plain functions because they are
 * hot paths (decision 15). These declarations state what each endpoint reads and answers; they do
 * not route requests.
 */
export const authorizationService: Service = {
  name: 'Authorization',
  description:
    'OAuth 2.1 for agents and other clients: people sign in and say what a client may do.',
  error,
  operations: [...oauthOperations, ...pageOperations],
};
