import { expect, test } from 'vitest';
import { readEndpoint } from './read-endpoint.ts';

test.each(['orders', 'orders.new', 'a$b.$c'])('takes the NATS subject %o [E14.19]', (subject) => {
  const endpoint = { kind: 'natsSubject', subject };
  expect(readEndpoint({ natsSubject: subject })).toEqual({ endpoint });
});

test.each(['', 'orders.*', 'orders.>', 'a b', '$SYS.x', 'a..b', '.a', 'a'.repeat(256)])(
  'refuses the NATS subject %o, which cannot be published to [E14.19]',
  (subject) => {
    const { violation } = readEndpoint({ natsSubject: subject });
    expect(violation).toMatchObject({ field: 'notificationEndpoint.natsSubject' });
  },
);
