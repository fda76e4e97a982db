import { describe, expect, it } from 'vitest';
import * as kinds from './setting-kinds.ts';
import type { SettingKind } from './settings.ts';

const cases: [string, SettingKind<unknown>, Record<string, unknown>, string[]][] = [
  [
    'wholeNumber',
    kinds.wholeNumber(1, 100),
    { '1': 1, '100': 100 },
    ['0', '101', '-1', '1.5', '1e1', ' 1', '', '0x1'],
  ],
  ['oneOf', kinds.oneOf('on', 'off'), { on: 'on' }, ['On', '', 'on,off']],
  ['listOf', kinds.listOf(kinds.oneOf('a', 'b')), { 'a, b': ['a', 'b'] }, ['', 'a,', 'a,a', 'c']],
  [
    'url',
    kinds.url('postgres', 'postgresql'),
    { 'postgres://u:p@h:1/d': 'postgres://u:p@h:1/d' },
    ['mysql://h/d', 'postgres', 'postgres:///d'],
  ],
  [
    'webOrigin',
    kinds.webOrigin,
    { 'https://a.example': 'https://a.example', 'http://localhost:1/': 'http://localhost:1' },
    [
      'https://a.example/path',
      'https://u@a.example',
      'https://a.example?x',
      'a.example',
      'ftp://a',
    ],
  ],
  [
    'duration',
    kinds.duration,
    { '500ms': 500, '1s': 1_000, '15m': 900_000, '24h': 86_400_000, '7d': 604_800_000 },
    ['0s', '1', 's', '-1s', '1.5h', '1 s', '1w'],
  ],
  [
    'listenHost',
    kinds.listenHost,
    { '127.0.0.1': '127.0.0.1', '::1': '::1', localhost: 'localhost' },
    ['http://localhost', 'localhost:80', '', '-a', 'a b'],
  ],
  [
    'durationUpTo',
    kinds.durationUpTo('1h'),
    { '1h': 3_600_000, '60m': 3_600_000 },
    ['61m', '2h', '0s', '1'],
  ],
  [
    'network',
    kinds.network,
    { loopback: 'loopback', '10.0.0.0/8': '10.0.0.0/8', 'fd00::/8': 'fd00::/8' },
    ['10.0.0.0/33', 'local', 'example.com'],
  ],
  [
    'namedValues',
    kinds.namedValues('path'),
    {
      'a=/x, b=./y': new Map([
        ['a', '/x'],
        ['b', './y'],
      ]),
    },
    ['/x', 'a=', '=x', 'A=/x', 'a=/x,a=/y'],
  ],
];

describe.each(cases)('%s', (_name, kind, good, bad) => {
  it.each(Object.entries(good))('reads %j', (given, value) => {
    expect(kind.parse(given)).toEqual(value);
  });
  it.each(bad)('refuses %j', (given) => {
    expect(kind.parse(given)).toBeUndefined();
  });
});
