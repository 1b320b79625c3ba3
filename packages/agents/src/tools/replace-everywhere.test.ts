import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { renameSymbol, replaceInFiles } from './replace-everywhere.ts';
import { refusalOf, useTool } from './test/use-tool.ts';

const files = {
  'src/sum.ts': 'export function sum(a) {\n  return a.sum + sums + $sum;\n}\n',
  'src/use.ts': 'sum(1); sum(2); // sum\r\nresume();\r\n',
  'docs/sum.md': 'The `sum` of all, not the summary.\n',
  'other.txt': 'nothing\n',
};

const rename = { old_name: 'sum', new_name: 'total' };

describe('rename_symbol', () => {
  it('renames whole words in all files, and tells the places by file', async () => {
    const { answer, files: left } = await useTool(renameSymbol, rename, { files });
    expect(answer).toBe(
      'Replaced 6 places in 3 files:\nsrc/sum.ts: 2 places\nsrc/use.ts: 3 places\ndocs/sum.md: 1 place',
    );
    expect(left.snapshot()).toEqual({
      'docs/sum.md': 'The `total` of all, not the summary.\n',
      'other.txt': 'nothing\n',
      'src/sum.ts': 'export function total(a) {\n  return a.total + sums + $sum;\n}\n',
      'src/use.ts': 'total(1); total(2); // total\r\nresume();\r\n',
    });
  });

  it('stays below a folder where it is told to', async () => {
    const { files: left } = await useTool(renameSymbol, { ...rename, path: 'src/use.ts' }, { files });
    expect(left.changes).toEqual(['write src/use.ts']);
  });

  it('changes nothing where one file is outside the plan, and names it', async () => {
    const options = { files, plannedFiles: ['src/sum.ts', 'src/use.ts'] };
    const said = await refusalOf(renameSymbol, rename, options);
    expect(said).toMatch(/^docs\/sum\.md is not in the approved plan, whose files are: src\/sum\.ts, src\/use\.ts\./);
    const input = { ...rename, outside_plan_reason: 'It tells of the function.' };
    expect((await useTool(renameSymbol, input, options)).files.changes).toHaveLength(3);
  });

  it('changes nothing where one file would no longer parse', async () => {
    const syntaxFaults = ({ path, text }: { path: string; text: string }) =>
      path === 'src/use.ts' && text.includes('total') ? [{ line: 1, problem: 'no' }] : [];
    const options = { files, syntaxFaults };
    expect(await refusalOf(renameSymbol, rename, options)).toContain('src/use.ts would not parse');
    const again = { ...options, brokenFiles: ['src/use.ts'] };
    expect((await useTool(renameSymbol, { ...rename, syntax_is_right: true }, again)).files.changes).toHaveLength(3);
  });

  it('puts the files back that it had changed when another one cannot be written', async () => {
    const { context, files: memory } = memoryContext({ files });
    const closed = {
      ...memory,
      async write(path: string, text: string) {
        if (path === 'docs/sum.md') throw new Error('closed');
        await memory.write(path, text);
      },
    };
    const own = {
      ...context,
      workspace: { files: closed },
      plannedFiles: null,
      brokenFiles: new Set<string>(),
      room: 1_000_000,
    };
    await expect(renameSymbol.run(own, rename)).rejects.toThrow('closed');
    expect(memory.snapshot()).toEqual(Object.fromEntries(Object.entries(files).sort()));
  });

  it('refuses what is no name, what is nowhere, and to change nothing', async () => {
    expect(await refusalOf(renameSymbol, { old_name: 'a b', new_name: 'c' }, { files })).toContain('one name');
    expect(await refusalOf(renameSymbol, { old_name: 'su', new_name: 'x' }, { files })).toBe(
      '"su" stands in no file as a word of its own.',
    );
    expect(await refusalOf(renameSymbol, { old_name: 'sum', new_name: 'sum' }, { files })).toContain('the same');
  });
});

describe('replace_in_files', () => {
  it('replaces an exact text, of several lines too and with the line ends of each file', async () => {
    const input = { old_text: '// sum\nresume();', new_text: '// $& $1\nx();' };
    const { files: left } = await useTool(replaceInFiles, input, { files });
    expect(left.snapshot()['src/use.ts']).toBe('sum(1); sum(2); // $& $1\r\nx();\r\n');
  });

  it('only counts when asked to', async () => {
    const { answer, files: left } = await useTool(
      replaceInFiles,
      { old_text: 'sum', new_text: 'x', preview: true },
      { files, plannedFiles: [] },
    );
    expect(answer).toBe(
      'Nothing was changed. "sum" stands at 10 places in 3 files:\n- src/sum.ts (4 places)\n- src/use.ts (4 places)\n- docs/sum.md (2 places)',
    );
    expect(left.changes).toEqual([]);
  });

  it('refuses too many files', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, 'sum\n']));
    expect(await refusalOf(replaceInFiles, { old_text: 'sum', new_text: 'x' }, { files: many })).toContain('201 files');
  });
});
