import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before it starts: measures the longest time for which the event loop stood still,
 * writes it to stderr at each SIGUSR2, and begins anew. Only what the thread itself computes between two
 * beats counts, so a busy machine makes no stall.
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
