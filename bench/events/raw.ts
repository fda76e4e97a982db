import { eventOf, readTask, tellOutcome } from './contender.ts';
import { createPost } from './post-signed.ts';

// Signed posts without a store: the upper limit for every contender. With one subscription it sends one post at a time.
const task = readTask();
const together = task.subscriptions === 1 ? 1 : 64;
const post = createPost(task.sink, together);
await tellOutcome(task, {
  async deliver() {
    let next = 0;
    await Promise.all(
      Array.from({ length: together }, async () => {
        while (next < task.deliveries) {
          const n = next++;
          await post(`event-${n}`, eventOf(n));
        }
      }),
    );
  },
});
process.exit(0);
