import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectCommands } from './detect-commands.ts';
import { detectionResults, filesOf } from './test/detection-results.ts';

const detect = (content: Record<string, string | object>) => detectCommands(filesOf(content));

const tested = { scripts: { test: 'node --test' } };
const dependent = { ...tested, dependencies: { left: '1.0.0' } };
const none = { setup: null, test: null };

/** The beginning of a command for several parts. */
const ENDED = 'failed=0; ended() { failed=$?; echo "The tests of $1 ended with exit code $failed"; }; ';

describe('the detection of commands', () => {
  it.each<[string, Record<string, string | object>, { setup: string | null; test: string | null }]>([
    ['nothing at all', {}, none],
    [
      'npm without dependencies',
      { 'package.json': tested, 'package-lock.json': '{}' },
      { setup: null, test: 'npm test' },
    ],
    [
      'npm with a lockfile',
      { 'package.json': dependent, 'package-lock.json': '{}' },
      { setup: 'npm ci', test: 'npm test' },
    ],
    [
      'npm without a lockfile',
      { 'package.json': dependent },
      { setup: 'npm install --no-package-lock', test: 'npm test' },
    ],
    [
      'a lockfile of pnpm',
      { 'package.json': dependent, 'pnpm-lock.yaml': '' },
      { setup: 'pnpm install --frozen-lockfile', test: 'pnpm test' },
    ],
    [
      'a lockfile of yarn',
      { 'package.json': dependent, 'yarn.lock': '' },
      { setup: 'yarn install --frozen-lockfile', test: 'yarn test' },
    ],
    [
      'a modern yarn',
      { 'package.json': { ...dependent, packageManager: 'yarn@4.1.0' }, 'yarn.lock': '' },
      { setup: 'yarn install --immutable', test: 'yarn test' },
    ],
    [
      'packageManager over a foreign lockfile',
      { 'package.json': { ...dependent, packageManager: 'pnpm@10.1.0' }, 'package-lock.json': '{}' },
      { setup: 'pnpm install --no-lockfile', test: 'pnpm test' },
    ],
    [
      "npm's default script",
      { 'package.json': { scripts: { test: 'echo "Error: no test specified" && exit 1' } } },
      none,
    ],
    ['an empty script', { 'package.json': { scripts: { test: ' ' } } }, none],
    ['a malformed package.json', { 'package.json': '{ "scripts": ' }, none],
    ['a package.json of the wrong shape', { 'package.json': '[1]' }, none],
    ['a package.json that is null', { 'package.json': 'null' }, none],
    ['scripts of the wrong shape', { 'package.json': { scripts: ['test'], dependencies: 7 } }, none],
    ['a test script of the wrong shape', { 'package.json': { scripts: { test: { a: 1 } } } }, none],
    ['a package.json that cannot be read', { 'package.json': 'unreadable' }, none],
    [
      'a package.json that begins with a byte order mark',
      { 'package.json': `\uFEFF${JSON.stringify(tested)}` },
      { setup: null, test: 'npm test' },
    ],
    [
      'a malformed package.json beside a go.mod',
      { 'package.json': '{', 'go.mod': 'module x' },
      { setup: null, test: 'go test ./...' },
    ],
    ['pytest.ini', { 'pytest.ini': '' }, { setup: null, test: 'python3 -m pytest' }],
    [
      'pytest in pyproject.toml',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      { setup: null, test: 'python3 -m pytest' },
    ],
    ['pytest in setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, { setup: null, test: 'python3 -m pytest' }],
    [
      'Python with test files',
      { 'pyproject.toml': '[project]\n', 'pkg/sub/test_a.py': '' },
      { setup: null, test: 'python3 -m pytest' },
    ],
    ['bare test files in tests/', { 'a.py': '', 'tests/test_a.py': '' }, { setup: null, test: 'python3 -m pytest' }],
    ['Python without tests', { 'pyproject.toml': '[project]\n', 'pkg/a.py': '' }, none],
    ['go', { 'go.mod': 'module x' }, { setup: null, test: 'go test ./...' }],
    ['cargo', { 'Cargo.toml': '' }, { setup: null, test: 'cargo test --no-fail-fast' }],
    [
      'maven',
      { 'pom.xml': '' },
      {
        setup: `mkdir -p .sluice && echo '*' > .sluice/.gitignore && MAVEN_OPTS="-Dmaven.repo.local=$PWD/.sluice/m2" mvn -B -fae test -Dmaven.test.failure.ignore=true`,
        test: 'MAVEN_OPTS="-Dmaven.repo.local=$PWD/.sluice/m2" mvn -B -fae test',
      },
    ],
    [
      'maven with its wrapper',
      { 'pom.xml': '', mvnw: '' },
      {
        setup: expect.stringContaining('sh ./mvnw -B -fae test -Dmaven.test.failure.ignore=true'),
        test: 'MAVEN_USER_HOME="$PWD/.sluice/maven" MAVEN_OPTS="-Dmaven.repo.local=$PWD/.sluice/m2" sh ./mvnw -B -fae test',
      },
    ],
    ['make', { Makefile: 'all:\n\ttrue\ntest: all\n\ttrue\n' }, { setup: null, test: 'make test' }],
    ['make with several targets in a line', { makefile: 'check test:\n\ttrue\n' }, { setup: null, test: 'make test' }],
    ['make without such a target', { Makefile: '.PHONY: test\ntest-all:\n\ttest: x\ntest := 1\n#test:\n' }, none],
  ])('knows %s', async (_, content, commands) => {
    expect(await detect(content)).toEqual(commands);
  });

  it('prefers the one ecosystem of the root to its Makefile, and the Makefile to a choice among several', async () => {
    const make = { Makefile: 'test:\n\ttrue\n' };
    expect(await detect({ ...make, 'go.mod': '' })).toMatchObject({ test: 'go test ./...' });
    expect(await detect({ ...make, 'go.mod': '', 'package.json': dependent })).toEqual({
      setup: 'npm install --no-package-lock',
      test: 'make test',
    });
    expect(await detect({ 'go.mod': '', 'package.json': tested })).toMatchObject({
      test: `${ENDED}(npm test) || ended npm; (go test ./...) || ended go; exit $failed`,
    });
    const byFiles = { 'package.json': {}, 'a.test.js': "import 'node:test'" };
    expect(await detect({ ...make, ...byFiles })).toMatchObject({ test: 'make test' });
    expect(await detect(byFiles)).toMatchObject({ test: 'node --test' });
    expect(await detect({ ...make, Gemfile: '', '.rspec': '' })).toMatchObject({
      test: 'BUNDLE_PATH="$PWD/.sluice/bundle" make test',
    });
    expect(await detect({ 'go.mod': '', 'package.json': { name: 'only a formatter' } })).toMatchObject({
      test: 'go test ./...',
    });
  });

  it('takes the tests of the workspaces where the root of a monorepo has none', async () => {
    const root = { workspaces: ['packages/*'] };
    const content = { 'package.json': root, 'package-lock.json': '{}', 'packages/a/package.json': tested };
    expect(await detect(content)).toEqual({ setup: 'npm ci', test: 'npm test --workspaces --if-present' });
    expect(
      await detect({
        'package.json': {},
        'pnpm-workspace.yaml': '',
        'pnpm-lock.yaml': '',
        'apps/x/package.json': tested,
      }),
    ).toEqual({
      setup: 'pnpm install --frozen-lockfile',
      test: 'pnpm --recursive --no-bail test',
    });
    expect(await detect({ 'package.json': root, 'packages/a/package.json': {} })).toEqual(none);
  });

  it('prefers the root, else runs all projects of the nearest folders and fails when any fails', async () => {
    const content = { 'backend/go.mod': '', 'frontend/package.json': dependent, 'frontend/deep/Cargo.toml': '' };
    expect(await detect(content)).toEqual({
      setup: '(cd frontend && npm install --no-package-lock)',
      test: `${ENDED}(cd backend && go test ./...) || ended backend; (cd frontend && npm test) || ended frontend; exit $failed`,
    });
    expect(await detect({ ...content, 'Cargo.toml': '' })).toEqual({
      setup: '(cd frontend && npm install --no-package-lock)',
      test: `${ENDED}(cargo test --no-fail-fast) || ended cargo; (cd frontend && npm test) || ended frontend; exit $failed`,
    });
    expect(await detect({ 'code/app/package.json': tested })).toEqual({
      setup: null,
      test: '(cd code/app && npm test)',
    });
  });

  it.each([
    [0, 0, 0],
    [3, 0, 3],
    [0, 4, 4],
    [3, 4, 4],
  ])('joins projects so that exits of %i and %i run both, tell what failed, and end in %i', async (go, npm, exit) => {
    const { test } = await detect({ 'backend/go.mod': '', 'frontend/package.json': tested });
    const root = mkdtempSync(join(tmpdir(), 'joined-'));
    try {
      for (const folder of ['bin', 'backend', 'frontend']) mkdirSync(join(root, folder));
      for (const [name, code] of Object.entries({ go, npm })) {
        writeFileSync(join(root, 'bin', name), `#!/bin/sh\necho ${name} in \${PWD##*/}\nexit ${code}\n`, {
          mode: 0o755,
        });
      }
      const options = { cwd: root, env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` }, encoding: 'utf8' } as const;
      const { status, stdout } = spawnSync('sh', ['-c', test ?? ''], options);
      const ended = (folder: string, code: number) =>
        code === 0 ? '' : `The tests of ${folder} ended with exit code ${code}\n`;
      expect({ status, stdout }).toEqual({
        status: exit,
        stdout: `go in backend\n${ended('backend', go)}npm in frontend\n${ended('frontend', npm)}`,
      });
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('takes no installed, vendored or example project for the repository, nor a folder that a shell would misread', async () => {
    const content = {
      'node_modules/x/package.json': tested,
      'vendor/go.mod': '',
      'examples/package.json': tested,
      '.github/package.json': tested,
      'a; touch pwned/package.json': tested,
      '$(id)/package.json': tested,
      '-x/package.json': tested,
      'a/b/c/d/go.mod': '',
    };
    expect(await detect(content)).toEqual(none);
  });

  it('makes no guess at a collection of many projects', async () => {
    expect(await detect(Object.fromEntries([...'abcdefghijklm'].map((name) => [`${name}/go.mod`, ''])))).toEqual(none);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p/a${at}/package.json`, '{}']));
    expect(await detect({ ...many, 'p/b/go.mod': '' })).toEqual(none);
  });

  it('finds what a maintainer expects in every kind of repository', async () => {
    const wrong = (await detectionResults()).filter(({ isRight }) => !isRight);
    expect(wrong.map(({ fixture, found }) => ({ name: fixture.name, found }))).toEqual([]);
  });
});
