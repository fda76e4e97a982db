import type { BuiltInClient } from '../authorization/index.ts';
import { callbackPath } from '../console/index.ts';
import { commandLineClientId } from './command-line-client.ts';

const consoleId = 'tradewind-console';

/** Whether a client is the console of this server. */
export function isConsole(clientId: string): boolean {
  return clientId === consoleId;
}

/** The clients that come with the server: its console, and its command line, which asks for consent like any other. */
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
    {
      clientId: commandLineClientId,
      name: 'Tradewind command line',
      // Valid with any port: a command listens on a free one.
      redirectUris: ['http://127.0.0.1/callback'],
      grantTypes: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      requiresDpop: false,
      applicationType: 'native',
      wantsAll: false,
    },
  ];
}
