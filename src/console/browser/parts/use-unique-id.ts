import { useState } from '../../vendor/preact.js';

let given = 0;

/** An id that no other element of the document has. Preact's `useId` repeats ids in each separately rendered root. */
export function useUniqueId(): string {
  const [id] = useState(() => {
    given += 1;
    return `id-${given}`;
  });
  return id;
}
