import type { BuiltInClient } from '../authorization/index.ts';
import { callbackPath } from '../console/index.ts';

/** The clients that come with the server: its console. */
export function builtInClients(publicUrl: URL): readonly BuiltInClient[] {
  return [
    {
      clientId: 'tradewind-console',
      name: 'Tradewind console',
      redirectUris: [publicUrl.origin + callbackPath],
      grantTypes: ['authorization_code', 'refresh_token'],
      requiresDpop: true,
      applicationType: 'web',
      isOwnPage: true,
      wantsAll: true,
    },
  ];
}
