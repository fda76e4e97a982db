import type { BuiltInClient } from '../authorization/index.ts';
import { callbackPath } from '../console/index.ts';

const consoleId = 'tradewind-console';

/** Whether a client is the console of this server, whatever it was asked for. */
export function isConsole(clientId: string): boolean {
  return clientId === consoleId;
}

/** The clients that come with the server: its console. */
export function builtInClients(publicUrl: URL): readonly BuiltInClient[] {
  return [
    {
      clientId: consoleId,
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
