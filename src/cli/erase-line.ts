/** Erases the current line of a terminal. Pass it to `draw`: `write` would show it as text. */
export const eraseLine = '\r\u001b[K';
