import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { callerHasLeft, onBehalfOf } from '../../kernel/wait/presence.ts';
import { createFeedHeads } from './feed-heads.ts';

test('reads on behalf of all watchers, even if the first has left [N9]', async () => {
  const gone: boolean[] = [];
  const heads = createFeedHeads({
    clock: createFakeClock(),
    settlingFor: 0,
    async read() {
      gone.push(callerHasLeft()());
      return { event: 0, attempt: 0, change: 0 };
    },
    onFailure(error) {
      throw error;
    },
  });
  onBehalfOf(() => true, heads.watch);
  await expect.poll(() => gone).toEqual([false]);
});
