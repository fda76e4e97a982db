import { join } from 'node:path';

/** Where the embedded database lies in a data directory. */
export function dataFileIn(dataDir: string): string {
  return join(dataDir, 'tradewind.db');
}
