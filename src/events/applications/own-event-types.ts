/** Event types of the swap service (E14.11). */
export const swapTypes = {
  priceMoved: 'tradewind.swap.price.v1.moved',
  routeChanged: 'tradewind.swap.route.v1.changed',
  rpcsRefreshed: 'tradewind.swap.rpcs.v1.refreshed',
} as const;

/** Event types of authorization (E14.13). */
export const authorizationTypes = {
  clientRegistered: 'tradewind.authorization.client.v1.registered',
  grantCreated: 'tradewind.authorization.grant.v1.created',
  grantRevoked: 'tradewind.authorization.grant.v1.revoked',
  reuseDetected: 'tradewind.authorization.token.v1.reuseDetected',
} as const;

/** Event types of a file in a watched folder (E14.14). */
export const folderTypes = {
  created: 'tradewind.folder.file.v1.created',
  changed: 'tradewind.folder.file.v1.changed',
  moved: 'tradewind.folder.file.v1.moved',
  deleted: 'tradewind.folder.file.v1.deleted',
} as const;
