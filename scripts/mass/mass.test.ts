import { expect, it } from 'vitest';
import { faultsOfMass, type MeasuredPackage, measurePackages } from './mass.ts';

const lines = (count: number) => 'x();\n'.repeat(count);

const files = [
  {
    path: 'packages/a/package.json',
    text: '{"exports": {".": "./src/index.ts", "./*": "./src/*/index.ts", "./w": "./test/w.ts"}}',
  },
  {
    path: 'packages/a/src/index.ts',
    text: "export { one, two as three } from './one.ts';\nexport * from './all.ts';\n",
  },
  { path: 'packages/a/src/all.ts', text: 'export const four = 4, five = 5;\nexport type Six = 6;\n' },
  { path: 'packages/a/src/noun/index.ts', text: "export type { Seven } from '../seven.ts';\n" },
  { path: 'packages/a/src/noun/deeper/index.ts', text: "export { eight } from '../../eight.ts';\n" },
  { path: 'packages/a/src/page.module.css', text: lines(3) },
  { path: 'packages/a/src/all.test.ts', text: lines(500) },
  { path: 'packages/a/test/w.ts', text: 'export const w = 1;\n' },
  { path: 'packages/testing/src/index.ts', text: lines(500) },
];

it('counts source alone, and the names of each door', () => {
  expect(measurePackages(files)).toEqual([
    {
      folder: 'packages/a',
      mass: { lines: 9, files: 5, names: 6 },
      doors: [
        { path: 'packages/a/src/index.ts', names: 5 },
        { path: 'packages/a/src/noun/index.ts', names: 1 },
      ],
    },
  ]);
});

const measured = (mass: Partial<MeasuredPackage['mass']>, widest = 10): MeasuredPackage => ({
  folder: 'packages/a',
  mass: { lines: 1_000, files: 100, names: 50, ...mass },
  doors: [{ path: 'packages/a/src/index.ts', names: widest }],
});
const row = { lines: 1_000, files: 100, names: 50 };

it.each([
  ['is as large as its row', measured({}), row],
  [
    'has used its plan up',
    measured({ lines: 1_220, files: 105 }),
    { ...row, planned: { lines: 200, files: 3, names: 0, for: 'a host' } },
  ],
  ['is a little smaller', measured({ lines: 920 }), row],
  ['was repaired', measured({ lines: 1_020, files: 102, names: 51 }), row],
  ['has a door of 120 names', measured({}, 120), row],
])('accepts a package that %s', (_, one, its) => {
  expect(faultsOfMass([one], { 'packages/a': its })).toEqual([]);
});

const planned = { ...row, planned: { lines: 200, files: 3, names: 0, for: 'a host' } };

it.each([
  ['has more lines', /has 1021 lines, more than its row allows \(1020\)/, [measured({ lines: 1_021 }), row]],
  ['has more files', /has 103 files/, [measured({ files: 103 }), row]],
  ['exports more names', /has 52 names/, [measured({ names: 52 }), row]],
  ['has outgrown its plan', /allows \(1220\)/, [measured({ lines: 1_221 }), planned]],
  ['has become much smaller', /lower its row from 1000/, [measured({ lines: 800 }), row]],
  ['has a door of 121 names', /exports 121 names, more than 120/, [measured({}, 121), row]],
] as const)('refuses a package that %s', (_, fault, [one, its]) => {
  expect(faultsOfMass([one], { 'packages/a': its })).toEqual([expect.stringMatching(fault)]);
});

it('refuses a package without a row, and a row without a package', () => {
  expect(faultsOfMass([measured({})], {})).toEqual([expect.stringContaining('a new package needs an ADR')]);
  expect(faultsOfMass([], { 'packages/a': row })).toEqual([expect.stringContaining('remove its row')]);
});
