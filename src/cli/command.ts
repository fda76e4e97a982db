import type { ParseArgsOptionDescriptor } from 'node:util';

/** The environment, streams and signals that a command may use. */
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
  /** Calls back when the system or a person asks the command to end, once. */
  onTerminate(callback: () => void): void;
  /** Calls back right before the process ends, for whatever reason. Only synchronous work completes. */
  onExit(callback: () => void): void;
  /** Calls back with each error that nothing handled, and the process goes on. Without it such an error ends the process. */
  onFault?(callback: (error: unknown) => void): void;
  /** Calls back on each SIGHUP that asks to read files again. */
  onReload(callback: () => void): void;
};

export type Stream = SystemStream & {
  /** Writes text with our own colours, or erases the line. Text of others in it must have passed `plainText`. */
  draw(text: string): unknown;
};

/** A stream as the system provides it. It shows whatever is written, escape sequences included. */
export type SystemStream = {
  /** Calls `taken` once the system has accepted the text. */
  write(text: string, taken?: () => void): unknown;
  /** How much written text is still buffered. */
  readonly writableLength?: number | undefined;
  readonly isTTY?: boolean | undefined;
  /** How wide the terminal is, in characters. */
  readonly columns?: number | undefined;
};

/** A {@link Terminal} whose streams are not yet wrapped by `textOnly`. */
export type SystemTerminal = Omit<Terminal, 'stdout' | 'stderr'> & {
  readonly stdout: SystemStream;
  readonly stderr: SystemStream;
};

/** A flag and its line in `--help`. */
export type CommandOption = ParseArgsOptionDescriptor & {
  readonly help: string;
  /** The placeholder after the flag in `--help`, such as `<port>`. */
  readonly argument?: string;
};

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One command. `run` returns the exit code: 0 success, 1 failure, 2 wrong usage or settings. */
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
  /** All commands, for a command about commands such as `completion`. */
  readonly commands?: readonly CommandEntry[];
};

/** A command as the overview lists it. Its implementation is loaded when it is called. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
};
