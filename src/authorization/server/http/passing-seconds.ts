/** `Retry-After` of a page that refuses because too many ask at this moment: they are served within seconds. */
export const passingSeconds = '5';
