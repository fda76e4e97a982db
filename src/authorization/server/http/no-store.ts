/** The headers of an answer that must not be cached (RFC 6749 section 5.1). */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;
