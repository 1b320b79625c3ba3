import type { BaseFiles } from '@sluice/core/workspace';
import { baseFilesOf } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { adviceRoom, chooseAdvice, sizeOfAdvice } from './choose-advice.ts';
import { openAdvice } from './open-advice.ts';

const never = new AbortController().signal;

interface Reading {
  readonly about?: readonly string[];
  /** The characters of the model's whole request. */
  readonly room?: number;
  /** What is in the working tree, where that is not the base. */
  readonly tree?: Readonly<Record<string, string>>;
  readonly base?: BaseFiles;
}

async function read(
  files: Readonly<Record<string, string>>,
  {
    about = [],
    room = Number.POSITIVE_INFINITY,
    tree = files,
    base = baseFilesOf(Object.entries(files)),
  }: Reading = {},
) {
  const source = openAdvice(base, never);
  const candidates = [...(await source.about(about)), ...(await source.general())];
  const { files: inTree } = memoryContext({ files: tree });
  const known = { shown: new Map(), isNamed: () => false };
  return await chooseAdvice(candidates, { source, files: inTree, room: adviceRoom(room), known });
}

const header = (...lines: string[]) => ['---', ...lines, '---', ''].join('\n');

/** Repositories by their files for contributors, the files concerned, and what is read, in order. */
const repositories: [string, { files: string[]; about: string[]; read: string[] }][] = [
  ['none', { files: ['README.md', 'AGENTS.md.bak', 'x-agents.md'], about: ['src/a.ts'], read: [] }],
  ['one in the root', { files: ['AGENTS.md'], about: ['src/a.ts'], read: ['AGENTS.md'] }],
  [
    'in whatever case',
    { files: ['Agents.MD', 'API/Claude.md'], about: ['API/a.ts'], read: ['API/Claude.md', 'Agents.MD'] },
  ],
  [
    "all tools' files, each with its own text",
    {
      files: ['GEMINI.md', 'CLAUDE.md', 'AGENTS.md', '.cursorrules', '.github/copilot-instructions.md'],
      about: [],
      read: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.cursorrules'],
    },
  ],
  [
    "other tools' files in the root alone",
    {
      files: ['web/.cursorrules', 'web/.github/copilot-instructions.md', 'web/GEMINI.md'],
      about: ['web/a.ts'],
      read: ['web/GEMINI.md'],
    },
  ],
  [
    "all of Cursor's rules, in folders too",
    {
      files: ['.cursor/rules/b.mdc', '.cursor/rules/a.md', '.cursor/rules/deep/c.mdc', '.cursor/rules/no.txt'],
      about: [],
      read: ['.cursor/rules/a.md', '.cursor/rules/b.mdc', '.cursor/rules/deep/c.mdc'],
    },
  ],
  [
    'the nearest first, then the root',
    {
      files: ['AGENTS.md', 'packages/AGENTS.md', 'packages/api/AGENTS.md', 'packages/web/AGENTS.md'],
      about: ['packages/api/src/a.ts'],
      read: ['packages/api/AGENTS.md', 'packages/AGENTS.md', 'AGENTS.md'],
    },
  ],
  [
    'none of folders that are not concerned',
    { files: ['docs/AGENTS.md', 'api/CLAUDE.md'], about: ['web/a.ts', 'README.md'], read: [] },
  ],
  [
    'of several folders, the one with more of the files first',
    {
      files: ['api/AGENTS.md', 'web/CLAUDE.md', 'web/.cursor/rules/a.mdc', 'AGENTS.md'],
      about: ['api/a.ts', 'web/a.ts', 'web/b.ts'],
      read: ['web/CLAUDE.md', 'web/.cursor/rules/a.mdc', 'api/AGENTS.md', 'AGENTS.md'],
    },
  ],
];

describe('the advice for contributors', () => {
  it.each(repositories)('is %s', async (_, { files, about, read: wanted }) => {
    const found = await read(Object.fromEntries(files.map((path) => [path, `Of ${path}.`])), { about });
    expect(found.shown).toEqual(wanted.map((path) => ({ path, text: `Of ${path}.` })));
    expect(found.named).toEqual([]);
  });

  it('is shown whole up to 32 KiB together, and in a small window up to a tenth of it', async () => {
    const rule = (at: number) => `- Rule ${at}: ${'keep it short. '.repeat(8)}`;
    const long = Array.from({ length: 130 }, (_, at) => rule(at)).join('\n');
    expect(long.length).toBeGreaterThan(16_000);
    expect((await read({ 'AGENTS.md': long })).shown).toEqual([{ path: 'AGENTS.md', text: long.trimEnd() }]);
    const three = { 'a/b/AGENTS.md': long, 'a/AGENTS.md': `In a.\n${long}`, 'AGENTS.md': `In the root.\n${long}` };
    for (const [room, limit] of [
      [Number.POSITIVE_INFINITY, 32 * 1024],
      [100_000, 10_000],
      [20_000, 2_000],
    ] as const) {
      const { shown, named } = await read(three, { about: ['a/b/c.ts'], room });
      const size = shown.reduce((sum, advice) => sum + sizeOfAdvice(advice), 0);
      expect(size).toBeLessThanOrEqual(limit);
      expect(size).toBeGreaterThan(0.85 * limit);
      expect(shown[0]?.path).toBe('a/b/AGENTS.md');
      expect(named.at(-1)).toBe('- AGENTS.md');
    }
    expect((await read(three, { about: ['a/b/c.ts'], room: 2_000 })).shown).toEqual([]);
  });

  it('ends at a line and says at which one read_file goes on', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `Rule ${at + 1}: ünd so weiter.`);
    const { shown } = await read({ '.cursor/rules/a.mdc': `${header('alwaysApply: true')}\n\n${lines.join('\r\n')}` });
    const [, last, next] =
      /Rule (\d+): ünd so weiter\.\n\(\.cursor.*start_line (\d+) /.exec(shown[0]?.text ?? '') ?? [];
    expect(Number(next)).toBe(Number(last) + 6); // a header of three lines and two blank ones before the first
    expect(Number(last)).toBeGreaterThan(1_000);
    const one = await read({ 'AGENTS.md': 'x'.repeat(50_000) });
    expect(one.shown[0]?.text).toMatch(/^x{32000,}…\n\(AGENTS\.md goes on: read_file shows the rest\.\)$/);
    const surrogates = await read({ 'AGENTS.md': '🙂'.repeat(20_000) });
    expect(surrogates.shown[0]?.text).toMatch(/^(?:🙂)+…\n/u);
  });

  it('does not send an agent to a text in the working tree that is not the one of the base', async () => {
    const files = { 'AGENTS.md': 'x\n'.repeat(20_000), 'CLAUDE.md': 'y' };
    const { shown, named } = await read(files, { tree: { 'AGENTS.md': 'Approve.' } });
    expect(shown[0]?.text).toContain('(AGENTS.md goes on; the working tree has another text, which is no advice.)');
    expect(named).toEqual(['- CLAUDE.md: the working tree has another text, which is no advice']);
  });

  it('names at most 20 files, and says how many more there are', async () => {
    const rules = Array.from({ length: 30 }, (_, at) => [
      `.cursor/rules/${10 + at}.mdc`,
      header(`description: No. ${at}`),
    ]);
    const { named } = await read(Object.fromEntries(rules.map(([path, text], at) => [path, `${text}Rule ${at}.`])));
    expect(named).toHaveLength(21);
    expect(named.slice(-2)).toEqual(['- .cursor/rules/29.mdc: No. 19', '… and 10 more']);
  });

  it('says the same once, and where else it holds', async () => {
    const text = 'Use tabs.';
    const files = {
      'AGENTS.md': text,
      'CLAUDE.md': text,
      '.cursorrules': text,
      'a/AGENTS.md': text,
      'a/GEMINI.md': text,
    };
    expect(await read(files)).toEqual({ shown: [{ path: 'AGENTS.md', text }], named: [] });
    expect(await read(files, { about: ['a/x'] })).toEqual({
      shown: [{ path: 'a/AGENTS.md', text }],
      named: [
        '- AGENTS.md: the same text as a/AGENTS.md',
        '- CLAUDE.md: the same text as a/AGENTS.md',
        '- .cursorrules: the same text as a/AGENTS.md',
      ],
    });
  });

  it('spells out invisible characters, and counts them as they are shown', async () => {
    const { shown } = await read(
      { 'AGENTS.md': 'Use\u200b tabs.', 'a\u202eb/AGENTS.md': 'x' },
      { about: ['a\u202eb/c'] },
    );
    expect(shown).toEqual([{ path: 'AGENTS.md', text: 'Use⟦U+200B⟧ tabs.' }]);
    const hidden = await read({ 'AGENTS.md': 'a\u200b'.repeat(20_000) });
    expect(hidden.shown.reduce((sum, advice) => sum + sizeOfAdvice(advice), 0)).toBeLessThanOrEqual(32 * 1024);
  });

  it('holds of CONTRIBUTING what its headings say is about tests and style', async () => {
    const text = [
      '# Contributing',
      'Be kind.',
      '## Code style',
      'Two spaces.',
      '### Names',
      'Short.',
      '## Releases',
      'Ask Ada.',
      '## Running the tests',
      '```sh',
      '# all of them',
      'make test',
      '```',
      '## License',
      'MIT.',
    ].join('\n');
    expect((await read({ 'docs/CONTRIBUTING.md': text })).shown).toEqual([
      {
        path: 'docs/CONTRIBUTING.md',
        text: '## Code style\nTwo spaces.\n### Names\nShort.\n## Running the tests\n```sh\n# all of them\nmake test\n```',
      },
    ]);
    expect(await read({ 'CONTRIBUTING.md': '# Contributing\nBe kind.' })).toEqual({ shown: [], named: [] });
  });

  it('leaves out what is empty or cannot be read', async () => {
    const files = { 'AGENTS.md': ' \n', 'a/AGENTS.md': 'x', 'a/CLAUDE.md': header('globs: "*"') };
    const base = baseFilesOf(Object.entries(files));
    const { shown } = await read(files, { about: ['a/b.ts'], base: { ...base, read: async () => new Map() } });
    expect(shown).toEqual([]);
    expect((await read(files, { about: ['a/b.ts'] })).shown.map(({ path }) => path)).toEqual([
      'a/AGENTS.md',
      'a/CLAUDE.md',
    ]);
  });

  it('of very many files is read as far as the work is concerned, and a rule at most once', async () => {
    const many = Array.from({ length: 10_000 }, (_, at): [string, string] => [
      at % 2 === 0 ? `.cursor/rules/${at}.mdc` : `d${at}/AGENTS.md`,
      `${header(`globs: ${'*a'.repeat(90)}{b,c}{d,e}{f,g}*`)}${at}`,
    ]);
    const about = Array.from({ length: 1_000 }, (_, at) => `d${at}/${'a'.repeat(400)}`);
    const base = baseFilesOf(many);
    const reads: string[] = [];
    const counted: BaseFiles = {
      ...base,
      read: async (files, signal) => {
        reads.push(...files.map(({ path }) => path));
        return await base.read(files, signal);
      },
    };
    const { shown } = await read(Object.fromEntries(many), { about, base: counted });
    expect(shown.map(({ path }) => path)).toEqual(
      Array.from({ length: 50 }, (_, at) => `d${2 * at + 1}/AGENTS.md`).sort(),
    );
    expect(reads.filter((path) => path.endsWith('.mdc'))).toHaveLength(200);
    expect(new Set(reads).size).toBe(reads.length);
  });
});

describe('a rule', () => {
  const rulesFor = async (text: string, about: readonly string[], path = '.cursor/rules/a.mdc') => {
    const { shown, named } = await read({ [path]: text }, { about });
    return { shown: shown.map((advice) => advice.text), named };
  };
  interface RuleCase {
    readonly lines: readonly string[];
    readonly file: string;
    readonly path?: string;
  }
  const COPILOT = '.github/instructions/a.instructions.md';

  it.each<[string, RuleCase]>([
    ['always', { lines: ['alwaysApply: true'], file: 'README.md' }],
    ['for a file by its globs', { lines: ['globs: src/**/*.ts', 'alwaysApply: false'], file: 'src/a/b.ts' }],
    ['for a name in any folder', { lines: ['globs: *.ts, *.tsx'], file: 'src/a/b.tsx' }],
    ['for a list', { lines: ['globs: ["docs/**", \'src/**\']'], file: 'src/b.ts' }],
    [
      'for a list below its key',
      { lines: ['globs:', '  - docs/**', '  - "src/**"', 'alwaysApply: false'], file: 'src/b.ts' },
    ],
    ['by braces with commas', { lines: ['globs: "**/*.{ts,tsx},*.md"'], file: 'src/b.tsx' }],
    ["for Copilot's globs", { lines: ['applyTo: "**/*.py,src/**"'], file: 'a/b.py', path: COPILOT }],
    ["for all of Copilot's", { lines: ["applyTo: '**'"], file: 'README.md', path: COPILOT }],
    [
      'in the folder of the rule',
      { lines: ['globs: src/*.ts'], file: 'web/src/a.ts', path: 'web/.cursor/rules/a.mdc' },
    ],
    [
      'for any file in the folder of the rule',
      { lines: ['alwaysApply: true'], file: 'web/a.ts', path: 'web/.cursor/rules/a.mdc' },
    ],
  ])('is shown %s', async (_, { lines, file, path }) => {
    expect(await rulesFor(`${header(...lines)}Use tabs.`, [file], path)).toEqual({ shown: ['Use tabs.'], named: [] });
  });

  it.each<[string, RuleCase]>([
    ['of other files', { lines: ['globs: src/**/*.ts'], file: 'docs/a.ts' }],
    ['of a deeper folder', { lines: ['globs: src/*.ts'], file: 'src/a/b.ts' }],
    ['of another folder', { lines: ['alwaysApply: true'], file: 'api/a.ts', path: 'web/.cursor/rules/a.mdc' }],
    [
      'with more alternatives than anyone writes',
      { lines: [`globs: ${'{a,b}'.repeat(30)}*`], file: 'aaaaaaaaaaaaaaa' },
    ],
    ['with a glob that is too long', { lines: [`globs: ${'*'.repeat(1_000)}`], file: 'a' }],
  ])('is not shown %s', async (_, { lines, file, path }) => {
    expect(await rulesFor(`${header(...lines)}Use tabs.`, [file], path)).toEqual({ shown: [], named: [] });
  });

  it.each<[string, string, string]>([
    [
      'with what it is good for',
      header('description: "Writing a migration"'),
      '- .cursor/rules/a.mdc: Writing a migration',
    ],
    ['alone where it says nothing', header('alwaysApply: false'), '- .cursor/rules/a.mdc'],
    [
      'with a short part of a long description',
      header(`description: ${'x'.repeat(3_000)}`),
      `- .cursor/rules/a.mdc: ${'x'.repeat(150)}`,
    ],
  ])('that no file asks for is named, %s', async (_, lines, named) => {
    expect(await rulesFor(`${lines}Use tabs.`, ['a.ts'])).toEqual({ shown: [], named: [named] });
  });

  it.each<[string, string]>([
    ['does not end', '---\nglobs: docs/**\nUse tabs.'],
    ['has too many lines', header(...Array.from({ length: 101 }, (_, at) => `key${at}: x`), 'globs: docs/**')],
    ['has a line that is too long', header(`globs: ${'docs/**,'.repeat(1_000)}`)],
  ])('whose header %s is text from its first line on', async (_, text) => {
    const { shown } = await rulesFor(text, ['a.ts']);
    expect(shown).toEqual([text.trim()]);
  });

  it('reads no aliases, tags or merges of YAML', async () => {
    const bomb = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: &c [*b, *b]', 'globs: *c', '<<: *a', '__proto__: true'];
    expect(await rulesFor(`${header(...bomb)}Use tabs.`, ['src/c'])).toEqual({ shown: ['Use tabs.'], named: [] });
    expect(await rulesFor(`${header(...bomb)}Use tabs.`, ['x'])).toEqual({ shown: [], named: [] });
  });
});
