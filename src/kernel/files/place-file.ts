import { existsSync, linkSync, renameSync } from 'node:fs';

/**
 * Gives a finished file its name, unless there is a file of that name. Returns whether it did. The draft may still be
 * there afterwards. Unlike a rename, a link never replaces a file that another process made meanwhile; only a file
 * system without links leaves that possible.
 */
export function placeFile(draft: string, path: string, link = linkSync): boolean {
  try {
    link(draft, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    const { code = '' } = error as NodeJS.ErrnoException; // the file system throws nothing else
    if (!withoutLinks.has(code)) throw error;
  }
  renameSync(draft, path);
  return true;
}

/** The errors of file systems that have no links. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
