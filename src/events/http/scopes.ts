/** Scopes of which one lets a caller read its subscriptions. */
export const readers = ['subscriptions.read', 'subscriptions.write'] as const;

/** The scope that lets a caller change them. */
export const writers = ['subscriptions.write'] as const;
