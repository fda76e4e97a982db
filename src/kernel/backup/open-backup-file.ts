import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { describeKind } from '../files/file-error.ts';
import { findPathControl } from '../files/path-control.ts';
import { BackupError } from './backup-error.ts';

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens a backup for reading, while this process may still be root. As root it takes a file that another user can exchange only if
 * it belongs to that user: root would else read for them what they must not read. Returns the descriptor. Throws `NOT_A_BACKUP`.
 */
export function openBackupFile(path: string): number {
  const file = open(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      throw new BackupError(
        'NOT_A_BACKUP',
        `${resolve(path)} is ${describeKind(stats)}: restore a file that tradewind backup wrote.`,
      );
    }
    if (process.geteuid?.() === 0) refuseExchanged(path, stats);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function open(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // the file system throws nothing else
    const message =
      code === 'ENOENT'
        ? `There is no file ${resolve(path)}.`
        : `${resolve(path)} cannot be opened (${code}): restore a file that tradewind backup wrote, and that this user may read.`;
    throw new BackupError('NOT_A_BACKUP', message, { cause });
  }
}

function refuseExchanged(path: string, { uid }: Stats): void {
  const { others } = findPathControl(path);
  if (others.size === 0 || (others.size === 1 && others.has(uid))) return;
  const [[who, where] = []] = others;
  throw new BackupError(
    'NOT_A_BACKUP',
    `${resolve(path)} belongs to user ${uid}, and ${who === 'anyone' ? 'others' : `user ${who}`} can put another file in its place (${where}): copy it to a folder of root, look at whose it is, and restore it from there.`,
  );
}
