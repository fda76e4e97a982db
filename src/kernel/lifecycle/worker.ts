/** A piece of background work. `run` returns once the signal has fired and its work is put down. */
export type Worker = {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
};
