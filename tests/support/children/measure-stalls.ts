import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before it starts: measures the longest time for which the event loop was blocked.
 * Each SIGUSR2 writes that time to stderr and resets it. Only the CPU time of this thread between two timer
 * ticks counts, so a busy machine causes no stall.
 */
if (isMainThread) {
  let longest = 0;
  let reports = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  }, 1).unref();
  process.on('SIGUSR2', () => {
    reports += 1;
    process.stderr.write(`\nstall ${reports}: ${longest} ms\n`);
    longest = 0;
  });
}
