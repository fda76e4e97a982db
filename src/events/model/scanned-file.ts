/** A file of a watched folder as a scan found it. */
export type ScannedFile = {
  /** Relative to the folder, with `/` between names. */
  readonly path: string;
  /** Inode and birth time: a move keeps both, and a reused inode has another birth time. */
  readonly identity: string;
  readonly size: number;
  /** In nanoseconds since the epoch, as text. */
  readonly modifiedAt: string;
  /** A hash of the content, if the modification time is not reliable; else ''. */
  readonly hash: string;
};
