import { isDiskFull } from '../database/database-error.ts';

/** Whether the disk of the store has room: doubted once the store has said that it is full, until a write that needs some succeeds. */
export type RoomDoubt = {
  /** Told of every failure of the store. */
  notice(error: unknown): void;
  /** Where there is doubt: runs a write that needs room, which settles it. Rejects while the disk is full. */
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
      } catch (error) {
        // Whatever else it is refused for says nothing of the disk.
        if (isDiskFull(error)) throw error;
      }
      isDoubted = false;
    },
  };
}
