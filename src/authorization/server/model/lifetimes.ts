/** The longest lifetime that can be set for access tokens. Revocations are remembered as long. */
export const longestAccessToken = 3_600_000;

/** How long a code may wait (R1; RFC 6749 section 4.1.2 asks for at most ten minutes). */
export const codeLifetime = 60_000;

/** How long a person has to allow what a device asks for, and the device to fetch it. */
export const deviceCodeLifetime = 600_000;
