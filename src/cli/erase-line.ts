/** Takes what stands in the last line off a terminal; to be drawn. */
export const eraseLine = '\r\u001b[K';
