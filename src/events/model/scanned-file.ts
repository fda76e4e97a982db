/** A file of a watched folder as a scan found it. */
export type ScannedFile = {
  /** Below the folder, with `/` between names. */
  readonly path: string;
  /** Inode and time of birth: kept by a move, and not given again with the inode. */
  readonly identity: string;
  readonly size: number;
  /** In nanoseconds since the epoch, as text. */
  readonly modifiedAt: string;
  /** A hash of the content, if the modification time is not reliable; else ''. */
  readonly hash: string;
};
