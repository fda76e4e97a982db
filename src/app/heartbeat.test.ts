import { expect, it } from 'vitest';
import { DatabaseError } from '../kernel/database/database.ts';
import { createRoomDoubt } from './heartbeat.ts';

const full = new DatabaseError('UNAVAILABLE', 'The disk is full.', {
  details: { isDiskFull: true },
});
const lost = new DatabaseError('UNAVAILABLE', 'The connection is lost.');

it('assumes a full disk until a write succeeds, whatever else fails meanwhile [D7]', async () => {
  const doubt = createRoomDoubt();
  let writes = 0;
  const settle = (error?: Error) =>
    doubt.settle(async () => {
      writes += 1;
      if (error !== undefined) throw error;
    });
  await settle();
  doubt.notice(lost);
  await settle();
  expect(writes).toBe(0);
  doubt.notice(full);
  await expect(settle(full)).rejects.toBe(full);
  await settle(lost);
  await expect(settle(full)).rejects.toBe(full);
  await settle();
  await settle();
  expect(writes).toBe(4);
});
