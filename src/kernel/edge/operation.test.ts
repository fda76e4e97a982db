import { expect, it } from 'vitest';
import { headingOf } from './operation.ts';

it.each([
  ['Lists the people who can sign in.', 'List the people who can sign in'],
  ['Publishes CloudEvents.', 'Publish CloudEvents'],
  ['Changes the role of a person. Grants that …', 'Change the role of a person'],
  ['Invites a person: the answer has the link.', 'Invite a person'],
])('makes a heading of “%s”', (description, heading) => {
  expect(headingOf(description)).toBe(heading);
});
