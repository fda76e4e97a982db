import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { authorizationLimits } from '../limits.ts';
import { rememberSpent } from './guard.ts';

const most = authorizationLimits.spentIdsOfGuard.value;
const share = authorizationLimits.spentIdsOfCallerOfGuard.value;

/** Spends so many ids of a caller. */
async function fill(spend: ReturnType<typeof rememberSpent>, caller: string, count: number) {
  for (let id = 0; id < count; id += 1) await spend(`${caller} ${id}`, 1_000_000, caller);
}

describe('the proofs that a guard remembers', () => {
  it('have a share for each caller, and no caller makes it forget those of others [F43, N23, A12]', async () => {
    const clock = createFakeClock(0);
    const spend = rememberSpent(clock);
    expect(await spend('of somebody', 1_000_000, 'somebody')).toBe(true);
    await fill(spend, 'greedy', share);
    await expect(spend('one more', 1_000_000, 'greedy')).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    });
    expect(await spend('of somebody', 1_000_000, 'greedy')).toBe(false);
    expect(await spend('another of somebody', 1_000_000, 'somebody')).toBe(true);
    clock.advance(1_000_000);
    expect(await spend('one more', 2_000_000, 'greedy')).toBe(true);
  });

  it('are a limited number in total, beyond which further ones are refused and none is forgotten [F43, N23]', async () => {
    const spend = rememberSpent(createFakeClock(0));
    for (let caller = 0; caller < most / share; caller += 1) await fill(spend, `c${caller}`, share);
    await expect(spend('new', 1_000_000, 'new')).rejects.toMatchObject({
      message: expect.stringContaining(`${most} proofs of all callers`),
    });
    expect(await spend('c0 0', 1_000_000, 'new')).toBe(false);
  });
});
