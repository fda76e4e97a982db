import type { CommandInput } from '../command.ts';

/** The flags that say which exchanges a route may use. */
export const exchangeOptions = {
  dexes: {
    type: 'string',
    argument: '<ids>',
    help: 'Use only these exchanges: ids from `tradewind chains`, separated by commas.',
  },
  'exclude-dexes': {
    type: 'string',
    argument: '<ids>',
    help: 'Use none of these exchanges.',
  },
} as const;

export function readExchanges(flags: CommandInput['flags']) {
  const text = (flag: unknown) => (flag === undefined ? undefined : String(flag));
  return { dexes: text(flags.dexes), excludeDexes: text(flags['exclude-dexes']) };
}
