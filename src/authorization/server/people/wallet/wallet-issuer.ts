/** The issuer of identities that are wallet addresses: the namespace of CAIP-2. */
export const walletIssuer = 'eip155';
