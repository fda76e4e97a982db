import { expect, test } from 'vitest';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { builtInApplications } from '../applications/built-in-applications.ts';
import { declaredData } from '../applications/create-catalogue.ts';
import { shapeData } from './shape-data.ts';

const file = { file: { name: 'files/F', title: 'Plan', owner: { name: 'ada', age: 36 } } };
type Payload = Parameters<typeof shapeData>[1]['payload'];
const added = declaredData('crm.deal.v1.won');
const shape = (data: object, payload: Payload, declared = added) =>
  JSON.parse(shapeData(JSON.stringify(data), { payload, declared }));
const nameOnly = { includeResource: false, fieldMask: [] };

test('without resource data an event contains only the name of the resource [E10.5, E2.20]', () => {
  expect(shape(file, nameOnly)).toEqual({ file: { name: 'files/F' } });
  const nameless = { file: { id: 'F' }, note: 'no resource', notes: ['none'], constructor: {} };
  expect(shape(nameless, nameOnly)).toEqual({ file: {}, notes: [], constructor: {} });
  expect(shape({ file: { name: { first: 'ada' } } }, nameOnly)).toEqual({ file: {} });
});

test('without resource data a Drive resource is told by the ids that Google keeps [F41, E10.5, G11]', () => {
  const secret = { name: 'Plan.doc', content: 'a secret', author: { emailAddress: 'ada@x.test' } };
  const ofDrive = (kind: string, data: object) =>
    shape(data, nameOnly, declaredData(`google.workspace.drive.${kind}`));
  expect(ofDrive('file.v3.created', { file: { ...secret, id: 'F' } })).toEqual({
    file: { id: 'F' },
  });
  expect(ofDrive('file.v3.created', { file: { ...secret, id: { of: 'ada' } } })).toEqual({
    file: { name: 'Plan.doc' },
  });
  expect(
    ofDrive('comment.v3.created', { comment: { ...secret, id: 'C', file_id: 'F', reply_id: 'R' } }),
  ).toEqual({ comment: { id: 'C', file_id: 'F' } });
  expect(
    ofDrive('reply.v3.created', { reply: { ...secret, id: 'R', commentId: 'C', fileId: 'F' } }),
  ).toEqual({ reply: { id: 'R', commentId: 'C', fileId: 'F' } });
  expect(
    ofDrive('approval.v3.created', {
      approval: { ...secret, approvalId: 'A', targetFileId: 'F', id: 'x' },
    }),
  ).toEqual({ approval: { approvalId: 'A', targetFileId: 'F' } });
  expect(
    ofDrive('accessproposal.v3.created', {
      accessProposal: [{ ...secret, proposalId: 'P', requesterEmailAddress: 'ada@x.test' }],
    }),
  ).toEqual({ accessProposal: [{ proposalId: 'P' }] });
  expect(
    ofDrive('permission.v3.created', {
      permission: [{ id: '1', emailAddress: 'ada@x.test' }, { id: '2', role: 'owner' }, 'ada'],
    }),
  ).toEqual({ permission: [{ id: '1' }, { id: '2' }] });
});

test('resource data of Meet is given to nobody, whatever else the subscription may ask for [F41]', () => {
  const data = { recording: { name: 'r/1', state: 'secret' } };
  const all = { includeResource: true, fieldMask: [] };
  const declared = declaredData('google.workspace.meet.recording.v2.started');
  expect(shape(data, all, declared)).toEqual({ recording: { name: 'r/1' } });
});

const applications = builtInApplications({ folders: ['reports'], servesChain: () => true });
const types = applications
  .filter(({ resourceData }) => resourceData !== 'always')
  .flatMap(({ targets, batchTypes }) => [
    ...targets.flatMap(({ eventTypes }) => eventTypes),
    ...Object.values(batchTypes),
  ]);
const keys = [
  ...applications.flatMap(({ identities }) => Object.keys(identities)),
  ...['message', 'deal', 'constructor', '__proto__', 'access_proposal'],
];
/** Everything in it is secret. */
const hidden = {
  ...{ title: 'secret', emailAddress: 'secret', content: ['secret', { id: 'secret' }] },
  ...{ author: { id: 'secret', name: 'secret', more: [{ name: 'secret' }] } },
};
const ids = ['id', 'file_id', 'fileId', 'commentId', 'proposalId', 'approvalId', 'targetFileId'];
const told = Object.fromEntries([...ids, 'name'].map((field) => [field, 'told']));
const spoiled = Object.fromEntries([...ids, 'name'].map((field) => [field, hidden]));
const resources: readonly unknown[] = [
  ...[hidden, { ...hidden, ...told }, { ...hidden, name: 'told' }, { ...hidden, ...spoiled }],
  ...['secret', null, [], ['secret', [hidden]], { file: hidden, message: { ...hidden, ...told } }],
];
const shapes = resources.flatMap((one) => [
  one,
  [one],
  [one, [one]],
  [{ message: one, file: one }],
]);
const secretData = keys.flatMap((key) =>
  shapes.flatMap((one) => [{ [key]: one }, { [key]: { [key]: one } }, { [key]: [{ [key]: one }] }]),
);

test('no event type of any application, nor one that an operator adds, tells more than who it is [F41]', () => {
  expect(types.length).toBeGreaterThan(60);
  for (const type of [...types, 'crm.deal.v1.won']) {
    const declared = declaredData(type);
    for (const data of secretData) {
      const published = JSON.stringify(declared.isBatch ? { messages: [data, 'secret'] } : data);
      const shaped = shapeData(published, { payload: nameOnly, declared });
      if (shaped.includes('secret')) expect.fail(`${type} of ${published}: ${shaped}`);
    }
  }
});

test('the field mask narrows it, and unknown paths in it are ignored [E10.6, E2.21]', () => {
  const masked = (...fieldMask: string[]) => shape(file, { includeResource: true, fieldMask });
  expect(masked('title', 'nothing')).toEqual({ file: { title: 'Plan' } });
  expect(masked('owner.age')).toEqual({ file: { owner: { age: 36 } } });
  expect(masked('owner', 'owner.age')).toEqual({ file: { owner: file.file.owner } });
  expect(masked('file.name')).toEqual({ file: { name: 'files/F' } });
  expect(masked('title.deeper')).toEqual({ file: { title: 'Plan' } });
});

test('fields may be spelled in snake_case', () => {
  const data = { message: { create_time: 'now', line_1: 'hi', text: 'hi' } };
  const payload = { includeResource: true, fieldMask: ['createTime', 'line1'] };
  expect(shape(data, payload)).toEqual({ message: { create_time: 'now', line_1: 'hi' } });
});

test('each resource of a batch event is shaped [E10.7]', () => {
  const batch = { files: [file, { file: { name: 'files/G', title: 'Other' } }] };
  const declared = declaredData('google.workspace.chat.message.v1.batchCreated');
  expect(shape(batch, nameOnly, declared)).toEqual({
    files: [{ file: { name: 'files/F' } }, { file: { name: 'files/G' } }],
  });
  expect(shape(batch, { includeResource: true, fieldMask: ['title'] }, declared)).toEqual({
    files: [{ file: { title: 'Plan' } }, { file: { title: 'Other' } }],
  });
});

test('each resource of a list is shaped', () => {
  const deals = { deals: [{ name: 'd/1', price: 1 }, 'a note'] };
  expect(shape(deals, nameOnly)).toEqual({ deals: [{ name: 'd/1' }] });
  expect(shape(deals, { includeResource: true, fieldMask: ['price'] })).toEqual({
    deals: [{ price: 1 }, 'a note'],
  });
});

test('data is complete where the application says so', () => {
  expect(shape({ price: '1' }, undefined)).toEqual({ price: '1' });
});

test('a path of the mask starts within the resource, even if a field there has the name of the resource', () => {
  const data = { file: { file: { name: 1 }, name: 2 } };
  const masked = (...fieldMask: string[]) => shape(data, { includeResource: true, fieldMask });
  expect(masked('file.name')).toEqual({ file: { name: 2 } });
  expect(masked('file')).toEqual({ file: { file: { name: 1 } } });
});

test('many paths and many fields do not hold the event loop [N1]', async () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, 1]));
  const data = JSON.stringify({ deal: fields });
  const fieldMask = Array.from({ length: 1_000 }, (_, n) => `a${n}`);
  const stall = await longestStall([{ includeResource: true, fieldMask }], (payload) =>
    shapeData(data, { payload, declared: added }),
  );
  expect(stall).toBeLessThan(200);
});
