import { expect, test } from 'vitest';
import { eventsSettings } from './config.ts';

test.each([
  ['orders,alerts.prices', ['orders', 'alerts.prices']],
  ['orders.>, alerts.', ['orders.>', 'alerts.']],
  ['orders.*', undefined],
  ['orders.*.new', undefined],
  ['a.>.b', undefined],
])(
  'reads the prefixes %s of NATS subjects, and refuses what would allow none [N4]',
  (given, read) => {
    expect(eventsSettings.natsSubjects.kind.parse(given)).toEqual(read);
  },
);
