import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSoakRun } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { makeTaskRepo } from '../src/repo/task-repo.ts';
import { type Grade, grade } from '../src/run/grade.ts';
import { isRunnerFile } from '../src/task/runner-file.ts';
import { readTask, type Task } from '../src/task/task.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-grade-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A copy of a task of the bench, decided by another command. */
function ownTask(name: string, verify?: string): Task {
  const folder = join(scratch(), name);
  cpSync(fileURLToPath(new URL(`../fixtures/tasks/${name}/`, import.meta.url)), folder, { recursive: true });
  const script = join(folder, 'tests/test.sh');
  if (verify !== undefined)
    writeFileSync(
      script,
      readFileSync(script, 'utf8').replace(/if \( .* \);/, () => `if ( ${verify} );`),
    );
  return readTask(folder);
}

/** A script of the manifest, without npm, which takes seconds to start. */
function scriptNamed(name: string): string {
  return `$(node -p "JSON.parse(fs.readFileSync('package.json')).scripts.${name}")`;
}

/** Tests a patch that writes these files; null: one that removes the file. */
async function gradeOf(task: Task, files: Readonly<Record<string, string | null>>, solution = false): Promise<Grade> {
  const folder = scratch();
  const repo = makeTaskRepo(task.files, join(folder, 'base'));
  if (solution) repo.git('apply', join(task.folder, 'solution/change.patch'));
  for (const [path, text] of Object.entries(files)) {
    rmSync(join(repo.folder, path), { recursive: true, force: true });
    mkdirSync(join(repo.folder, path, '..'), { recursive: true });
    if (text !== null) writeFileSync(join(repo.folder, path), text);
  }
  repo.git('add', '-A', '-f');
  const patch = repo.git('diff', '--binary', '--cached', repo.base);
  return grade(patch, { repo, folder, task, sandbox: openSandbox(root), signal: new AbortController().signal });
}

it('does not solve a task by a patch that replaces the script of the tests, and the shell that runs it', async () => {
  const files = {
    '.npmrc': 'script-shell=/bin/true\n',
    'package.json': '{ "type": "module", "scripts": { "test": "true" } }\n',
  };
  const detail = "The hidden tests fail. The base's version of .npmrc, package.json was put back.";
  expect(await gradeOf(ownTask('slug-accents', 'npm test'), files)).toEqual({ reward: 0, detail });
});

it('puts a manifest back that a patch replaces by a folder, and solves what is solved otherwise', async () => {
  const task = ownTask('slug-accents', scriptNamed('test'));
  expect(await gradeOf(task, { 'package.json': null, 'package.json/a.js': '1;\n' }, true)).toMatchObject({ reward: 1 });
});

it('leaves a manifest to the patch that the solution changes too', async () => {
  const task = ownTask('slug-accents', scriptNamed('check'));
  const patch = join(task.folder, 'solution/change.patch');
  const manifest = readFileSync(join(task.files, 'package.json'), 'utf8');
  const line = '    "test": "node --test"';
  expect(manifest.split('\n')[5]).toBe(line);
  const change = `diff --git a/package.json b/package.json
--- a/package.json
+++ b/package.json
@@ -5,3 +5,4 @@
   "scripts": {
-    "test": "node --test"
+    "test": "node --test",
+    "check": "node --test"
   }
`;
  writeFileSync(patch, `${readFileSync(patch, 'utf8')}${change}`);
  expect(await gradeOf(task, {}, true)).toEqual({ reward: 1, detail: 'The hidden tests pass.' });
});

it.runIf(isSoakRun)('does not solve a task by a patch that replaces the runner of Python', async () => {
  expect(await gradeOf(ownTask('ring-order'), { 'unittest.py': '' })).toMatchObject({ reward: 0 });
});

it.each([
  [
    [
      'package.json',
      'a/b/pnpm-lock.yaml',
      'vitest.config.ts',
      'vitest.unit.config.mts',
      '.mocharc.yml',
      'tsconfig.json',
    ],
    true,
  ],
  [
    ['tests/conftest.py', 'pyproject.toml', 'setup.cfg', 'requirements-dev.txt', 'Cargo.toml', 'go.mod', 'pom.xml'],
    true,
  ],
  [['Makefile', 'build.gradle.kts', 'Gemfile.lock', 'phpunit.xml.dist', 'mix.exs', 'scripts/run-tests.sh'], true],
  [
    [
      'src/package.ts',
      'src/vite.ts',
      'test/tap.test.js',
      'vite/index.ts',
      'jest.md',
      'CMakeLists.txt',
      'docs/setup.md',
      'src/setup-py.py',
      'data.json',
    ],
    false,
  ],
])('tells files that say how tests are run from others: %j', (paths, expected) => {
  for (const path of paths) expect(isRunnerFile(path), path).toBe(expected);
});
