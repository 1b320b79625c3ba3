import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { readAdvice } from './advice.ts';

const read = (files: Record<string, string>, about: readonly string[] = [], room = Number.POSITIVE_INFINITY) =>
  readAdvice(memoryContext({ files }).context.workspace.files, { about, room });

/** Repositories by their files for contributors, the files concerned, and what is read, in order. */
const monorepos: [string, { files: string[]; about: string[]; read: string[] }][] = [
  ['none', { files: ['README.md'], about: ['src/a.ts'], read: [] }],
  ['one in the root', { files: ['AGENTS.md'], about: ['src/a.ts'], read: ['AGENTS.md'] }],
  [
    'in whatever case',
    { files: ['Agents.MD', 'API/Claude.md'], about: ['API/a.ts'], read: ['API/Claude.md', 'Agents.MD'] },
  ],
  ['CLAUDE.md where there is no AGENTS.md', { files: ['CLAUDE.md'], about: [], read: ['CLAUDE.md'] }],
  ['one of two that say the same', { files: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'], about: [], read: ['AGENTS.md'] }],
  ['GEMINI.md last', { files: ['GEMINI.md', '.cursorrules'], about: [], read: ['GEMINI.md'] }],
  [
    "other tools' files in the root",
    {
      files: ['.github/copilot-instructions.md', 'web/.cursorrules'],
      about: ['web/a.ts'],
      read: ['.github/copilot-instructions.md'],
    },
  ],
  [
    "Cursor's rules",
    { files: ['.cursor/rules/b.mdc', '.cursor/rules/a.mdc'], about: [], read: ['.cursor/rules/a.mdc'] },
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
      files: ['api/AGENTS.md', 'web/CLAUDE.md', 'AGENTS.md'],
      about: ['api/a.ts', 'web/a.ts', 'web/b.ts'],
      read: ['web/CLAUDE.md', 'api/AGENTS.md', 'AGENTS.md'],
    },
  ],
  [
    'two of many, and the root',
    {
      files: ['AGENTS.md', ...'abcde'].map((name) => (name.length === 1 ? `${name}/AGENTS.md` : name)),
      about: [...'abcde'].map((name) => `${name}/x.ts`),
      read: ['a/AGENTS.md', 'b/AGENTS.md', 'AGENTS.md'],
    },
  ],
];

describe('the advice for contributors', () => {
  it.each(monorepos)('is %s', async (_, { files, about, read: wanted }) => {
    const found = await read(Object.fromEntries(files.map((path) => [path, `Of ${path}.`])), about);
    expect(found).toEqual(wanted.map((path) => ({ path, text: `Of ${path}.` })));
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
    expect(await read({ 'docs/CONTRIBUTING.md': text })).toEqual([
      {
        path: 'docs/CONTRIBUTING.md',
        text: '## Code style\nTwo spaces.\n### Names\nShort.\n## Running the tests\n```sh\n# all of them\nmake test\n```',
      },
    ]);
    expect(await read({ 'CONTRIBUTING.md': '# Contributing\nBe kind.' })).toEqual([]);
  });

  it('leaves out what is not there, is empty or cannot be read', async () => {
    expect(await read({ 'a.txt': 'a', 'AGENTS.md': ' \n' })).toEqual([]);
    const { files } = memoryContext({ files: { 'a/AGENTS.md': 'x' } }).context.workspace;
    const listed = { list: async () => ['AGENTS.md', 'a/AGENTS.md'], read: files.read };
    expect(await readAdvice(listed, { about: ['a/b.ts'], room: 100_000 })).toHaveLength(1);
  });

  it('has at most 4,000 characters a file and 12,000 in all, less in a small window, and says so', async () => {
    const long = (path: string) => [path, 'x'.repeat(50_000)];
    const files = Object.fromEntries(['AGENTS.md', 'a/AGENTS.md', 'b/AGENTS.md', 'c/AGENTS.md'].map(long));
    const about = ['a/x', 'b/x', 'c/x'];
    const found = await read(files, about);
    expect(found.map(({ path }) => path)).toEqual(['a/AGENTS.md', 'b/AGENTS.md', 'AGENTS.md']);
    expect(found[0]?.text.length).toBeLessThan(4_100);
    expect(found[0]?.text).toMatch(/x…\n\(a\/AGENTS\.md goes on: read_file shows the rest of its 50000 characters\)$/);
    const small = await read(files, about, 20_000);
    expect(small.map(({ text }) => text.length)).toEqual([expect.any(Number)]);
    expect(small[0]?.text.length).toBeLessThan(2_100);
  });
});
