import { styleText } from 'node:util';
import { plainText } from '../plain-text.ts';

/** An event as it came, or a message of a topic around one. */
export type ReceivedEvent = Readonly<Record<string, unknown>>;

/** One event for people: a line with time, type and subject, and its data below. */
export function renderEvent(event: ReceivedEvent, { isColoured }: { isColoured: boolean }): string {
  const text = (name: string) => plainText(String(event[name] ?? ''));
  const paint = (colour: 'gray' | 'cyan', painted: string) =>
    isColoured ? styleText(colour, painted, { validateStream: false }) : painted;
  const time = text('time').slice(11, 19);
  const data = JSON.stringify(event.data ?? event, undefined, 2)
    .split('\n')
    .map((line) => `  ${plainText(line)}`)
    .join('\n');
  return `${paint('gray', time)} ${paint('cyan', text('type'))} ${text('subject')}\n${data}\n`;
}
