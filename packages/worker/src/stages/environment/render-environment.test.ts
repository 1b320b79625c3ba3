import type { Prepared, TestRun } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { environmentOf, type MeasuredEnvironment, renderEnvironment } from './render-environment.ts';

const pathsOf = (...first: string[]) => ({ first, count: first.length });

const limits = {
  timeoutMs: 1_200_000,
  memoryBytes: 4 * 2 ** 30,
  processes: 512,
  fileBytes: 2 ** 30,
  diskBytes: 2 * 2 ** 30,
  outputBytes: 2 ** 20,
};
const measured: MeasuredEnvironment = {
  setup: { command: 'npm ci', ran: true },
  setup_source: 'detected',
  absent: { usesLfs: false, lfsFiles: pathsOf(), submodules: pathsOf() },
  facts: { programs: [], packages: ['vitest 5.1.1', 'zod 4.6.7'], topLevel: ['src/', 'package.json'] },
  versions: new Map([
    ['node', 'v24.19.2'],
    ['python3', 'Python 3.11.7'],
    ['go', null],
  ]),
  folder: '/workspace',
  limits,
};
const run: TestRun = {
  command: 'npm test',
  exit_code: 0,
  duration_ms: 12_400,
  failing: [],
  output_tail: '',
  ended_by: null,
};
const prepared = (environment: string | null, base_test: TestRun | null): Prepared => ({
  base_commit: 'c',
  tree: 't',
  setup_command: null,
  test_command: 'npm test',
  setup_source: null,
  test_source: 'settings',
  prepared_with: null,
  base_test,
  environment,
});

describe('the environment that agents are told', () => {
  it('names folder, limits, commands with their source, versions, packages and the root', () => {
    expect(renderEnvironment(measured)).toBe(
      [
        'Commands run in /workspace, each in a new shell without network, for at most 20 minutes, with 4 GiB of memory, 2 GiB of new files, 1 MiB of output.',
        'Setup command (detected): `npm ci` ran.',
        'Versions: node v24.19.2, Python 3.11.7',
        'Not installed: go',
        'Packages: vitest 5.1.1, zod 4.6.7',
        'In the root: src/, package.json',
      ].join('\n'),
    );
  });

  it.each([
    [{ setup: null }, 'No setup command is known, so nothing was installed.'],
    [
      { setup: { command: 'npm ci', ran: false } },
      'Setup command (detected): `npm ci` did not run, because it needs the network. Nothing was installed.',
    ],
    [
      { folder: null },
      expect.stringMatching(/^Commands run in the root of the repository, each in a new shell without/),
    ],
  ])('says %j', (change, line) => {
    expect(renderEnvironment({ ...measured, ...change }).split('\n')).toContainEqual(line);
  });

  it('names what of the commit is not in the tree', () => {
    const absent = { usesLfs: true, lfsFiles: pathsOf('a.bin', 'b\n.bin'), submodules: pathsOf('lib/dep') };
    expect(
      renderEnvironment({ ...measured, absent })
        .split('\n')
        .slice(-4),
    ).toEqual([
      'Git LFS stores files here (filter=lfs in .gitattributes). Only pointers can be committed at their paths.',
      'Pointers of Git LFS, without the content: a.bin, b?.bin',
      'Submodules, not fetched: lib/dep',
      'In the root: src/, package.json',
    ]);
  });

  it.each<[string, TestRun | null, string]>([
    ['that did not run yet', null, 'not run yet.'],
    ['that pass', run, 'all pass (12 s).'],
    [
      'that fail by name',
      { ...run, exit_code: 1, failing: ['a > b', 'c\nd'] },
      '2 fail (exit code 1, 12 s): a > b, c?d',
    ],
    ['that fail without names', { ...run, exit_code: 2 }, 'they fail (exit code 2, 12 s); which of them is not known.'],
    [
      'that a limit ended',
      { ...run, exit_code: null, ended_by: 'timeout', failing: ['a'] },
      '1 fail (ended by a limit, 12 s): a',
    ],
  ])('adds the tests of the base %s', (_, base, words) => {
    expect(environmentOf(prepared('E', base))).toBe(
      `E\nTest command (set by the owner): \`npm test\`\nTests at the base, before any change: ${words}`,
    );
  });

  it('says that no test command is known', () => {
    expect(environmentOf({ ...prepared('E', null), test_command: null })).toBe('E\nTest command: none is known.');
  });

  it('tells nothing where an older release prepared the issue', () => {
    expect(environmentOf(prepared(null, run))).toBeNull();
    expect(environmentOf(null)).toBeNull();
  });

  it('says how many packages and names of the root it leaves out', () => {
    const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
    const facts = { programs: [], packages: many('p', 100), topLevel: many('t', 61) };
    const text = renderEnvironment({ ...measured, facts });
    expect(text).toMatch(/^Packages: p0, .*, p29 and 70 more$/m);
    expect(text).toMatch(/^In the root: t0, .*, t59 and 1 more$/m);
  });

  it('stays below 4,600 characters and one line a fact, however large the repository', () => {
    const many = (name: string) => Array.from({ length: 500 }, (_, at) => `${name}\n${at} ${'x'.repeat(60)}`);
    const text = renderEnvironment({
      ...measured,
      setup: { command: `s\n${'x'.repeat(5_000)}`, ran: true },
      absent: { usesLfs: true, lfsFiles: pathsOf(...many('l')), submodules: pathsOf(...many('s')) },
      facts: { programs: [], packages: many('p'), topLevel: many('t') },
      versions: new Map(Array.from({ length: 12 }, (_, at) => [`tool${at}`, 'v'.repeat(400)])),
    });
    const base = { ...run, exit_code: 1, failing: many('test') };
    const shown = environmentOf({ ...prepared(text, base), test_command: 'y'.repeat(5_000) }) ?? '';
    expect(shown.length).toBeLessThan(4_600);
    expect(shown.split('\n')).toHaveLength(10);
    expect(shown).toMatch(/and \d+ more$/);
  });
});
