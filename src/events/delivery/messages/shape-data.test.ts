import { expect, test } from 'vitest';
import { longestStall } from '../../../../tests/support/longest-stall.ts';
import { shapeData } from './shape-data.ts';

const file = { file: { name: 'files/F', title: 'Plan', owner: { name: 'ada', age: 36 } } };
const shape = (data: object, payload: Parameters<typeof shapeData>[1]) =>
  JSON.parse(shapeData(JSON.stringify(data), payload));

test('without resource data an event contains only the name of the resource [E10.5, E2.20]', () => {
  const nameOnly = { includeResource: false, fieldMask: [] };
  expect(shape(file, nameOnly)).toEqual({ file: { name: 'files/F' } });
  const nameless = { file: { id: 'F' }, note: 'no resource' };
  expect(shape(nameless, nameOnly)).toEqual(nameless);
});

test('with resource data an event contains the whole resource [E10.6, E2.20]', () => {
  expect(shape(file, { includeResource: true, fieldMask: [] })).toEqual(file);
  expect(shape(file, { includeResource: true, fieldMask: ['*'] })).toEqual(file);
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
  expect(shape(batch, { includeResource: false, fieldMask: [] })).toEqual({
    files: [{ file: { name: 'files/F' } }, { file: { name: 'files/G' } }],
  });
});

test('data is complete where the application says so', () => {
  expect(shapeData('{"price":"1"}', undefined)).toBe('{"price":"1"}');
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
    shapeData(data, payload),
  );
  expect(stall).toBeLessThan(200);
});
