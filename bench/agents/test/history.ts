import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from '../src/repo/task-repo.ts';

interface History {
  readonly folder: string;
  /** Writes files and commits all that changed. @returns the commit */
  commit(date: string, message: string, files: Readonly<Record<string, string>>): string;
  /** Runs git as a person whose commits have a date. */
  git(date: string, ...args: string[]): string;
}

/** An empty repository, in which commits are made. */
export function openHistory(within: string, name: string): History {
  const folder = join(within, name);
  mkdirSync(folder, { recursive: true });
  runGit(folder, 'init', '-q', '-b', 'main');
  const git = (date: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A Person', '-c', 'user.email=person@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: `${date}T12:00:00Z`, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  const commit = (date: string, message: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    runGit(folder, 'add', '-A');
    git(date, 'commit', '-q', '-m', message);
    return runGit(folder, 'rev-parse', 'HEAD').trim();
  };
  return { folder, commit, git };
}

/** A repository with a history: a first version, a fix whose test needs it, and a change whose test does not. */
export function makeHistory(within: string, name = 'a-repo'): string {
  const { folder, commit } = openHistory(within, name);
  commit('2026-03-01', 'feat: add numbers', {
    'package.json': '{ "type": "module" }\n',
    'src/add.js': 'export const add = (a, b) => Math.abs(a) + Math.abs(b);\n',
    'test/add.test.js': testFile("test('adds', () => assert.equal(add(1, 2), 3));"),
  });
  commit(
    '2026-03-02',
    'fix: add negative numbers (#12)\n\nThe sum was wrong below zero.\n\nCo-authored-by: A Person <a@example.com>\n',
    {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'test/add.test.js': testFile("test('adds below zero', () => assert.equal(add(-1, -2), -3));"),
    },
  );
  commit('2026-03-03', 'refactor: name the function', {
    'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
    'test/add.test.js': testFile("test('adds zero', () => assert.equal(add(0, 0), 0));"),
  });
  return folder;
}

function testFile(line: string): string {
  const imports = ["import assert from 'node:assert/strict';", "import { test } from 'node:test';"];
  return [...imports, "import { add } from '../src/add.js';", '', line, ''].join('\n');
}
