import { mkdir, readFile as readFromDisk, symlink, writeFile as writeToDisk } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { Workspace } from '@sluice/core/workspace';
import { expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import type { AgentTool } from './agent-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { editFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { renameSymbol, replaceInFiles } from './replace-everywhere.ts';
import { searchText } from './search-text.ts';
import { never, workspaceScratch } from './test/workspace-scratch.ts';
import { deleteFile, writeFile } from './write-file.ts';

const FILES = {
  '.gitignore': 'dist/\n',
  'src/sum.ts': 'export function sum(a: number, b: number) {\n  return a - b;\n}\n',
  'src/use.ts': "import { sum } from './sum.ts';\n\nsum(1, 2);\n",
  'docs/sum.md': '# sum\n',
};

/** Calls tools on a real working tree, within a plan of one file and a new one. */
function toolsOn(workspace: Workspace) {
  const { search, outline, syntaxFaults, runCommand, signal } = memoryContext().context;
  const brokenFiles = new Set<string>();
  const plannedFiles = ['src/sum.ts', 'src/sum.test.ts'];
  return async (tool: AgentTool, input: object): Promise<string> => {
    try {
      return await tool.run(
        { workspace, search, outline, syntaxFaults, runCommand, signal, plannedFiles, brokenFiles, room: 400_000 },
        input,
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'tool_refused') return `refused: ${error.message}`;
      throw error;
    }
  };
}

it('finds, reads and changes files of a real tree, within the plan', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const use = toolsOn(workspace);

  expect(await use(listFiles, { folder: 'src' })).toBe('src/sum.ts\nsrc/use.ts');
  expect(await use(searchText, { pattern: 'sum\\(', glob: '*.ts' })).toBe(
    'src/sum.ts\n1: export function sum(a: number, b: number) {\n\nsrc/use.ts\n3: sum(1, 2);',
  );
  expect(await use(searchText, { pattern: 'A - B', literal: true, ignore_case: true, context_lines: 1 })).toBe(
    'src/sum.ts\n1- export function sum(a: number, b: number) {\n2:   return a - b;\n3- }',
  );
  expect(await use(searchText, { pattern: 'sum', limit: 1 })).toMatch(/^docs\/sum\.md\n1: # sum\n\nCut after 1 /);
  expect(await use(readFile, { path: 'src/sum.ts', start_line: 2, end_line: 2 })).toBe(
    'src/sum.ts: lines 2-2 of 3\n  return a - b;',
  );
  expect(await use(editFile, { path: 'src/sum.ts', old_text: 'a - b', new_text: 'a + b' })).toBe('Edited src/sum.ts.');
  expect(await use(writeFile, { path: 'src/sum.test.ts', content: 'test\n', must_be_new: true })).toContain('Wrote');
  expect(await use(deleteFile, { path: 'docs/sum.md' })).toMatch(/^refused: .*not in the approved plan/);
  expect(await use(deleteFile, { path: 'docs/sum.md', outside_plan_reason: 'It tells of the old sum.' })).toBe(
    'Deleted docs/sum.md.',
  );

  const { files } = await workspace.diff(never);
  expect(files.map(({ path }) => path)).toEqual(['docs/sum.md', 'src/sum.test.ts', 'src/sum.ts']);
});

it('lets no reason lead out of the tree or into git', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const use = toolsOn(workspace);
  await symlink('/etc', join(workspace.root, 'etc'));
  for (const path of ['../outside.txt', '/etc/motd', 'etc/motd', '.git', '.git/config', 'src/../.GIT/hooks/x']) {
    const input = { path, outside_plan_reason: 'The issue says so.' };
    expect(await use(writeFile, { ...input, content: 'x' }), path).toMatch(/^refused: /);
    expect(await use(deleteFile, input), path).toMatch(/^refused: /);
    expect(await use(readFile, { path }), path).toMatch(/^refused: /);
  }
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual(['etc']);
});

it('renames in the files that git does not ignore, and follows no link out of the tree', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const use = toolsOn(workspace);
  const ignored = join(workspace.root, 'dist/sum.js');
  await mkdir(join(workspace.root, 'dist'));
  await writeToDisk(ignored, 'sum();\n');
  const outside = join(workspace.root, '../outside.txt');
  await writeToDisk(outside, 'sum\n');
  await symlink(outside, join(workspace.root, 'link.txt'));

  const rename = { old_name: 'sum', new_name: 'add' };
  expect(await use(renameSymbol, rename)).toMatch(/^refused: docs\/sum\.md, src\/use\.ts are not in the approved plan/);
  expect(await use(renameSymbol, { ...rename, outside_plan_reason: 'They name the function.' })).toBe(
    'Replaced 5 places in 3 files:\ndocs/sum.md: 1 place\nsrc/sum.ts: 1 place\nsrc/use.ts: 3 places',
  );
  expect(await readFromDisk(ignored, 'utf8')).toBe('sum();\n');
  expect(await readFromDisk(outside, 'utf8')).toBe('sum\n');
  for (const within of ['../', '/etc', '.git', 'link.txt'])
    expect(await use(replaceInFiles, { old_text: 's', new_text: 'z', within, outside_plan_reason: 'So.' })).toMatch(
      /^refused: /,
    );
  for (const path of ['../x.txt', '/tmp/x.txt', '.git/hooks/x'])
    expect(await use(applyPatch, { patch: `*** Add File: ${path}\n+x`, outside_plan_reason: 'So.' })).toMatch(
      /^refused: /,
    );
});

it('says what is wrong with a search that cannot be made', async () => {
  await using it = await workspaceScratch(FILES);
  const use = toolsOn(await it.prepare());
  expect(await use(searchText, { pattern: 'sum(' })).toMatch(/^refused: .*unclosed group/);
  expect(await use(searchText, { pattern: 'sum', path: '../' })).toMatch(/^refused: /);
  expect(await use(searchText, { pattern: 'nowhere at all' })).toContain('No line in the repository matches');
});
