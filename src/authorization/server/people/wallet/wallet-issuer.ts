/** What stands for the issuer of an identity that is the address of a wallet: the namespace of CAIP-2. */
export const walletIssuer = 'eip155';
