/** What lets a caller read its subscriptions: one of these. */
export const readers = ['subscriptions.read', 'subscriptions.write'] as const;

/** What lets a caller change them. */
export const writers = ['subscriptions.write'] as const;
