import type { ParseArgsOptionDescriptor } from 'node:util';

/** What a command may touch of the world around it. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Results, for people or with `--json` for scripts. */
  readonly stdout: Stream;
  /** Logs, progress and problems. */
  readonly stderr: Stream;
  /** Whether lines are typed at a terminal, and come neither from a file nor from a pipe. */
  readonly isTyped?: boolean;
  /** The next line that the person types, or `undefined` where nobody can type one. */
  readLine?(signal?: AbortSignal): Promise<string | undefined>;
  /** Calls back for each request of the system to end (SIGTERM, SIGINT). */
  onTerminate(callback: () => void): void;
  /** Calls back when the process is about to end, for whatever reason; only what is done at once is done. */
  onExit(callback: () => void): void;
  /** Calls back for each request of the system to read files again (SIGHUP). */
  onReload(callback: () => void): void;
};

export type Stream = SystemStream & {
  /** Writes what holds colours of our own, or erases the line; every text of others in it went through `plainText`. */
  draw(text: string): unknown;
};

/** A stream as the system hands it over, which shows whatever is written. */
export type SystemStream = {
  /** Calls back once the system has taken it. */
  write(text: string, taken?: () => void): unknown;
  /** How much of what was written nobody has taken yet. */
  readonly writableLength?: number | undefined;
  readonly isTTY?: boolean | undefined;
  /** How wide the terminal is, in characters. */
  readonly columns?: number | undefined;
};

/** The world around a command line before its streams show text as text. */
export type SystemTerminal = Omit<Terminal, 'stdout' | 'stderr'> & {
  readonly stdout: SystemStream;
  readonly stderr: SystemStream;
};

/** A flag and the line that `--help` says of it. */
export type CommandOption = ParseArgsOptionDescriptor & {
  readonly help: string;
  /** What stands behind the flag in `--help`, such as `<port>`. */
  readonly argument?: string;
};

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One word of the command line. `run` answers the exit code: 0 well, 1 failed, 2 wrong usage or settings. */
export type Command = {
  /** What may follow the name, such as `<amount> <from> <to>`. */
  readonly operands?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** A paragraph for `--help`, examples included. */
  readonly description: string;
  run(input: CommandInput): Promise<number>;
};

export type CommandInput = {
  readonly operands: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  /** Every command of this command line, for those that are about them. */
  readonly commands?: readonly CommandEntry[];
};

/** A command as the overview lists it. What it does is loaded when it is called. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
};
