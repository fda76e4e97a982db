import { isDiskFull } from '../database/database-error.ts';

/** Doubt whether the disk of the store has room: from a report that it is full until a write that needs room succeeds. */
export type RoomDoubt = {
  /** Called with every failure of the store. */
  notice(error: unknown): void;
  /** If there is doubt, runs a write that needs room, which settles it. Rejects while the disk is full. */
  settle(takeRoom: () => Promise<void>): Promise<void>;
};

export function createRoomDoubt(): RoomDoubt {
  let isDoubted = false;
  return {
    notice(error) {
      if (isDiskFull(error)) isDoubted = true;
    },
    async settle(takeRoom) {
      if (!isDoubted) return;
      try {
        await takeRoom();
        isDoubted = false;
      } catch (error) {
        // Any other error says nothing about the disk: the doubt stays.
        if (isDiskFull(error)) throw error;
      }
    },
  };
}
