import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgram, resolveArguments, runProgram } from './program.ts';
import { expandAlias } from './terminal/aliases.ts';
import { exitCode } from './terminal/exit-code.ts';

let folder: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice aliases '));
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      printed += String(chunk);
      return true;
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runProgram(args, '0.0.0');
const resolved = (...args: string[]) =>
  resolveArguments(
    createProgram('0.0.0', () => {}),
    args,
  );

it('calls what an alias stands for, until it is deleted', async () => {
  expect(await run('alias', 'set', 'why', "issues show $1 --jq '.error | .detail'")).toBe(exitCode.done);
  expect(readFileSync(join(folder, 'sluice/aliases'), 'utf8')).toBe("why=issues show $1 --jq '.error | .detail'\n");
  expect(await resolved('why', 'abc', '--url', 'x')).toEqual([
    'issues',
    'show',
    'abc',
    '--jq',
    '.error | .detail',
    '--url',
    'x',
  ]);
  expect(await run('why')).toBe(exitCode.usage);
  expect(printed).toContain('needs 1 argument.');
  expect(await run('alias', 'list')).toBe(exitCode.done);
  expect(printed).toContain('why=issues show $1');
  expect(await run('alias', 'delete', 'why')).toBe(exitCode.done);
  expect(await resolved('why', 'abc')).toEqual(['why', 'abc']);
  expect(await run('alias', 'delete', 'why')).toBe(exitCode.notFound);
});

it.each([
  ['issues', 'repos list'],
  ['issue', 'repos list'],
  ['help', 'repos list'],
  ['a=b', 'repos list'],
  ['fine', 'nonsense'],
  ['fine', "repos 'list"],
])('refuses the alias %s for "%s"', async (name, words) => {
  expect(await run('alias', 'set', name, words)).toBe(exitCode.usage);
});

it('splits an alias as a shell does', () => {
  expect(expandAlias(`a 'b  c' "d \\" e" f\\ g ''`, [])).toEqual(['a', 'b  c', 'd " e', 'f g', '']);
  expect(expandAlias('x $2 $1', ['1', '2', '3'])).toEqual(['x', '2', '1', '3']);
});

it('prints the pages about the environment and exit codes, and the help of a command by any of its names', async () => {
  expect(await run('help', 'environment')).toBe(exitCode.done);
  expect(printed).toMatch(/SLUICE_URL +the server to use/);
  expect(await run('help', 'exit-codes')).toBe(exitCode.done);
  expect(printed).toMatch(/ 9 +The issue is waiting for approval\./);
  expect(await resolved('help', 'issue', 'ls')).toEqual(['issue', 'ls', '--help']);
  expect(await run('help', 'nonsense')).toBe(exitCode.usage);
  expect(printed).toContain('There is no command "nonsense"');
});
