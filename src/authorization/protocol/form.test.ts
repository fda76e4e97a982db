import { expect, it } from 'vitest';
import { parseForm, readForm } from './form.ts';

it('reads a parameter, and takes one without a value for absent', () => {
  const form = parseForm('a=1+2&b=');
  expect([form.get('a'), form.get('b'), form.get('c')]).toEqual(['1 2', undefined, undefined]);
});

it('refuses a request that lacks what it must have, or gives it no value', () => {
  const form = parseForm('token=x&code=');
  expect(form.require('token')).toBe('x');
  for (const name of ['code', 'refresh_token']) {
    expect(() => form.require(name)).toThrow(`"${name}" is missing`);
  }
});

it('accepts a repeated resource, and refuses any other repeated parameter', () => {
  expect(parseForm('resource=a&resource=b').all('resource')).toEqual(['a', 'b']);
  expect(() => parseForm('code=a&code=')).toThrow(/"code" was sent more than once/);
});

it.each([undefined, 'application/json', 'application/x-www-form-urlencoded-not'])(
  'refuses a body of type %s',
  (type) => {
    expect(() => readForm(type, 'a=1')).toThrow(/form-encoded/);
  },
);

it('accepts the form type with a charset', () => {
  const form = readForm('Application/X-WWW-Form-Urlencoded; charset=utf-8', 'a=1');
  expect(form.get('a')).toBe('1');
});
