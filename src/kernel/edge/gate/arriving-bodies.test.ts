import { expect, it } from 'vitest';
import { ArrivingBodies } from './arriving-bodies.ts';

/** Begins bodies of callers, and lists those that were cut off. */
function open(most: number) {
  const bodies = new ArrivingBodies(most);
  const cut: string[] = [];
  return { cut, begin: (key: string, name: string) => bodies.begin(key, () => cut.push(name)) };
}

it('counts what has come and not what is announced [F78]', () => {
  const { begin, cut } = open(100);
  for (let count = 0; count < 1_000; count++) begin(`caller ${count % 4}`, `${count}`);
  begin('newcomer', 'whole').grow(100);
  expect(cut).toEqual([]);
});

it('cuts off the largest body of the caller that holds most, and not the newcomer [F78]', () => {
  const { begin, cut } = open(100);
  begin('one', 'large of one').grow(40);
  begin('many', 'first of many').grow(20);
  begin('many', 'second of many').grow(30);
  const newcomer = begin('newcomer', 'newcomer');
  newcomer.grow(10);
  expect(cut).toEqual([]);
  newcomer.grow(10);
  expect(cut).toEqual(['second of many']);
  newcomer.grow(30);
  expect(cut).toEqual(['second of many', 'newcomer']);
});

it('gives back what a body held, once, and counts nothing of it afterwards [F60, F78]', () => {
  const { begin, cut } = open(100);
  const first = begin('a', 'first');
  first.grow(90);
  first.end();
  first.end();
  first.grow(90);
  const second = begin('a', 'second');
  second.grow(100);
  expect(cut).toEqual([]);
  second.grow(1);
  expect(cut).toEqual(['second']);
  second.grow(100);
  second.end();
  begin('a', 'third').grow(100);
  expect(cut).toEqual(['second']);
});
