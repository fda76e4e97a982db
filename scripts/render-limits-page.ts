import type { Limit, Limits, LimitUnit } from '../src/kernel/edge/limits.ts';
import { declaredLimits } from './declared-limits.ts';

/** Renders the page of all limits that callers can meet, from their declarations in the code. */
export function renderLimitsPage(): string {
  return [
    '# Limits',
    '',
    '<!-- Made by npm run generate from the limits.ts of each domain. -->',
    '',
    'What one caller, and all callers together, may make the server store, compute or send. A caller without an access token',
    'is identified by its address: IPv4, or the first 64 bits of IPv6.',
    '',
    ...Object.entries(declaredLimits).flatMap(([title, limits]) => renderSection(title, limits)),
  ].join('\n');
}

function renderSection(title: string, limits: Limits): string[] {
  const rows = Object.entries(limits).map(([name, limit]) => renderRow(name, limit));
  return [
    `## ${title}`,
    '',
    '| Name | Bound | For each | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ];
}

function renderRow(name: string, limit: Limit): string {
  const { per, meaning, setting } = limit;
  const bound = `${renderBound(limit)}${setting === undefined ? '' : `, or \`${setting}\``}`;
  return `| \`${name}\` | ${bound} | ${per} | ${meaning} |`;
}

const larger: Partial<Record<LimitUnit, readonly (readonly [size: number, name: string])[]>> = {
  bytes: [
    [1024 ** 3, 'GiB'],
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
  ],
  milliseconds: [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ],
};

/** Renders a value in the largest unit in which it is whole. */
function renderBound({ value, unit }: Limit): string {
  const [size, name] = larger[unit]?.find(([each]) => value % each === 0) ?? [1, unit];
  return `${(value / size).toLocaleString('en-US')} ${name}`;
}
