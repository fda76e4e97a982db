/** What a process held at one moment, after garbage collection. */
export type Reading = {
  readonly heapBytes: number;
  /** Memory of the process as the system sees it. It is not compared, since allocators return it at any time. */
  readonly residentBytes: number;
  /** How many objects there are of each class, closures and tables of maps included. */
  readonly classes: Readonly<Record<string, number>>;
  /** What keeps the event loop alive, by kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Open files and sockets; undefined if the system does not list them. */
  readonly descriptors: number | undefined;
};

/** What the process itself reports; its heap is in the file `snapshot`. */
export type ProbeAnswer = Omit<Reading, 'classes'> & { readonly snapshot: string };

export const askForReading = 'reading';
