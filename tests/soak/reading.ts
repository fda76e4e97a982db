/** What a process held when it was asked, after its garbage was collected. */
export type Reading = {
  readonly heapBytes: number;
  /** Memory of the process as the system sees it: not compared, since allocators give it back when they like. */
  readonly residentBytes: number;
  /** How many objects there are of each class, closures and tables of maps included. */
  readonly classes: Readonly<Record<string, number>>;
  /** What keeps the event loop going, by its kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Open files and sockets; undefined where the system does not tell. */
  readonly descriptors: number | undefined;
};

/** What the process itself answers; its heap is in the file. */
export type ProbeAnswer = Omit<Reading, 'classes'> & { readonly snapshot: string };

export const askForReading = 'reading';
