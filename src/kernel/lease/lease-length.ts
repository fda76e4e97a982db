/**
 * Milliseconds for which work stays with a process that no longer answers. It is renewed three times in between, and
 * others look every two or three seconds: what a dead process had is taken over within ten seconds (T11).
 */
export const leaseLength = 6_000;
