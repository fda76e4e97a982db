import { expect, test } from 'vitest';
import { z } from 'zod';
import { readMessage } from './read-message.ts';

test('refuses a long list before the schema looks at its members [N1]', () => {
  let looked = 0;
  const member = z.custom<string>(() => {
    looked += 1;
    return false;
  });
  const message = z.object({ all: z.object({ names: z.array(member) }) });
  const read = (members: number) => () => readMessage(message, { all: { names: Array(members) } });
  expect(read(1_001)).toThrow('all.names has 1001 members and may have at most 1000');
  expect(looked).toBe(0);
  expect(read(1_000)).toThrow(/all\.names\[49\].*; and more\.$/);
});
