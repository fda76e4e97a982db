import { expect, test } from 'vitest';
import { builtInApplications } from './built-in-applications.ts';
import { sampleEvent } from './sample-event.ts';
import { fitsPattern } from './target-pattern.ts';

const applications = builtInApplications({ folders: ['reports'], servesChain: () => true });
const crm = {
  name: 'crm',
  targets: [
    { pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won', 'crm.note.v1.added'] },
  ],
  scopes: [],
  batchTypes: {},
  identities: {},
  resourceData: 'onRequest',
  isBuiltIn: false,
} as const;

test('a sample is about the resource that its type names, on the target or below it', () => {
  expect(sampleEvent('crm.deal.v1.won', { application: crm, target: '//crm/deals/17' })).toEqual({
    type: 'crm.deal.v1.won',
    subject: '//crm/deals/17',
    data: { deal: { name: 'deals/17' } },
  });
  expect(sampleEvent('crm.note.v1.added', { application: crm })).toEqual({
    type: 'crm.note.v1.added',
    subject: '//crm/deals/sample/notes/sample',
    data: { note: { name: 'deals/sample/notes/sample' } },
  });
  expect(
    sampleEvent('crm.deal.v1.won', { application: crm, target: '//crm/deals/-' })?.subject,
  ).toBe('//crm/deals/sample');
  expect(sampleEvent('crm.deal.v1.lost', { application: crm })).toBeUndefined();
});

test('a sample of a reply is in the replies of its file', () => {
  const drive = applications.find(({ name }) => name === 'drive');
  const type = 'google.workspace.drive.reply.v3.created';
  expect(drive && sampleEvent(type, { application: drive })?.subject).toMatch(/\/replies\/sample$/);
});

test('a sample of a state in chat is about its user, and named by what it is the state of [G7, G8]', () => {
  const chat = applications.find(({ name }) => name === 'chat');
  const target = '//cloudidentity.googleapis.com/users/ada';
  for (const [resource, name] of [
    ['spaceReadState', 'users/ada/spaces/sample/spaceReadState'],
    ['threadReadState', 'users/ada/spaces/sample/threads/sample/threadReadState'],
    ['availability', 'users/ada/availability'],
  ] as const) {
    const type = `google.workspace.chat.${resource}.v1.updated`;
    const sample = chat && sampleEvent(type, { application: chat, target });
    expect(sample).toEqual({ type, subject: target, data: { [resource]: { name } } });
  }
});

test('every type of every built-in application has a sample, on a target that the type is for', () => {
  for (const application of applications) {
    for (const { eventTypes } of application.targets) {
      for (const type of eventTypes) {
        const sample = sampleEvent(type, { application });
        const segments = sample?.subject.split('/') ?? [];
        const isThere = application.targets.some(
          ({ pattern, eventTypes: types }) =>
            types.includes(type) &&
            fitsPattern(segments.slice(0, pattern.split('/').length).join('/'), pattern),
        );
        expect([type, isThere]).toEqual([type, true]);
      }
    }
  }
});
