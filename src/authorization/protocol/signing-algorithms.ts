/** What clients may sign assertions and proofs with: asymmetric alone (RFC 9449 section 4.3). */
export const signingAlgorithms = ['Ed25519', 'EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'];
