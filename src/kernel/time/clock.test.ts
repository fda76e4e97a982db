import { expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

test('a sleep until a moment that is over ends without a warning of the runtime', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await systemClock.sleep(-53.5);
  expect(warn).not.toHaveBeenCalled();
});
