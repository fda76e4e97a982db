import type { ServiceName } from '../settings/server-settings.ts';

const protectedResources = [
  {
    service: 'context',
    path: '/mcp',
    name: 'Tradewind for agents',
    scope: ['swap.read', 'subscriptions.read', 'subscriptions.write'],
  },
  {
    service: 'events',
    path: '/v1/subscriptions',
    name: 'Tradewind subscriptions',
    scope: ['subscriptions.read', 'subscriptions.write'],
  },
  {
    service: 'events',
    path: '/v1/events',
    name: 'Tradewind publishing',
    scope: ['events.publish'],
  },
] as const;

/** The paths of these services that need a token, as their metadata describes them (RFC 9728). */
export function protectedResourcesOf(services: readonly ServiceName[]) {
  return protectedResources.filter(({ service }) => services.includes(service));
}
