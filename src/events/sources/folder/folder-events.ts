import { folderTypes } from '../../applications/own-event-types.ts';
import type { NewEvent } from '../../model/event.ts';
import type { FileChange } from './diff-files.ts';

/** The event of a change in a watched folder (E14.14). */
export function toFolderEvent(
  change: FileChange,
  { folder, id, now }: { folder: string; id: string; now: number },
): NewEvent {
  const { kind, file } = change;
  const name = nameOf(folder, file.path);
  return {
    id,
    source: `//folder/${folder}`,
    type: folderTypes[kind],
    subject: `//folder/${name}`,
    occurredAt: now,
    data: {
      file: {
        name,
        path: file.path,
        size: file.size,
        modifyTime: new Date(Number(BigInt(file.modifiedAt) / 1_000_000n)).toISOString(),
        ...(kind === 'moved' ? { previousPath: change.from.path } : {}),
      },
    },
  };
}

/** A path may hold characters that a resource name cannot, such as spaces and question marks. */
function nameOf(folder: string, path: string): string {
  return [folder, ...path.split('/').map(encodeURIComponent)].join('/');
}
