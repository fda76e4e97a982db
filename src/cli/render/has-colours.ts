import type { Stream, Terminal } from '../command.ts';

/** Whether a stream may be written in colours: on a terminal, unless `NO_COLOR` is set (no-color.org). */
export function hasColours(stream: Stream, environment: Terminal['environment']): boolean {
  return stream.isTTY === true && !environment.NO_COLOR;
}
