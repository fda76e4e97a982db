/**
 * Milliseconds for which work stays with a process that no longer answers. The process renews its lease every third
 * of that time, and others look for expired leases every two or three seconds: they take over the work of a dead
 * process within ten seconds (T11).
 */
export const leaseLength = 6_000;
