/** Where each endpoint is. The first three are the defaults of MCP, revision 2025-03-26. */
export const endpointPaths = {
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
  introspect: '/introspect',
  jwks: '/jwks',
  pushedRequest: '/par',
  deviceAuthorization: '/device_authorization',
  device: '/device',
} as const;
