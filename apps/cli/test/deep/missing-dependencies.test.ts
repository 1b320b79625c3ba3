import { execFile, execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram, isSoakRun } from '@sluice/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

// Usual way: apps/cli/test/run-command.test.ts

/** A name that leads here and is not `localhost`, to which package managers use no proxy. */
const host = hostname().toLowerCase();
const isResolved = await lookup(host).then(
  () => true,
  () => false,
);

let home: string;
let registry: Server;
let port: number;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sluice-dependencies-'));
  registry = await startRegistry();
  const address = registry.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterEach(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(home, { recursive: true });
});

/** A registry with one package: a test runner with the name of vitest, which starts that of Node. */
async function startRegistry(): Promise<Server> {
  const source = join(home, 'package');
  mkdirSync(source);
  writeFileSync(
    join(source, 'package.json'),
    JSON.stringify({ name: 'vitest', version: '5.0.0', bin: { vitest: 'run.mjs' } }),
  );
  const start = `import { spawnSync } from 'node:child_process';
process.exitCode = spawnSync('node', ['--test'], { stdio: 'inherit' }).status;`;
  writeFileSync(join(source, 'run.mjs'), `#!/usr/bin/env node\n${start}\n`, { mode: 0o755 });
  execFileSync('tar', ['-czf', join(home, 'vitest.tgz'), '-C', home, 'package']);
  const archive = readFileSync(join(home, 'vitest.tgz'));
  const server = createServer((request, response) => {
    if (request.url === '/vitest.tgz') return response.end(archive);
    const version = {
      name: 'vitest',
      version: '5.0.0',
      bin: { vitest: 'run.mjs' },
      dist: { tarball: `http://${host}:${port}/vitest.tgz` },
    };
    return response.end(
      JSON.stringify({ name: 'vitest', 'dist-tags': { latest: '5.0.0' }, versions: { '5.0.0': version } }),
    );
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return server;
}

/** A repository whose test runner is a dependency that is not installed, and an issue that names its edit. */
function javaScriptRepo(files: Record<string, string> = {}): void {
  const root = join(home, 'cart');
  mkdirSync(root);
  const all = {
    'package.json': JSON.stringify({
      name: 'cart',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'vitest run' },
      devDependencies: { vitest: '5.0.0' },
    }),
    '.npmrc': `registry=http://${host}:${port}/\naudit=false\nfund=false\n`,
    '.gitignore': 'node_modules\n',
    'cart.js': 'export const total = (prices) => prices.slice(1).reduce((sum, price) => sum + price, 0);\n',
    'cart.test.js': `import { test } from 'node:test';
import { equal } from 'node:assert/strict';
import { total } from './cart.js';
test('adds every price', () => equal(total([1, 2, 3]), 6));
`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(root, name), text);
  writeFileSync(join(home, 'bug.md'), '# The first price is ignored\n\nIn `cart.js`, replace `.slice(1)` with ``.\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', 'commit', '-qm', 'Add a cart'],
  ]) {
    execFileSync('git', args, { cwd: root });
  }
}

async function sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = await builtProgram('sluice');
  const env = {
    PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`,
    HOME: home,
    SETUP_ALLOW_HOSTS: `${host}:${port}`,
    ALLOW_PRIVATE_HOSTS: 'on',
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: home, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

it('ends a run whose test runner is missing before the plan, and names the option that helps', async () => {
  javaScriptRepo();
  const ended = await sluice('run', '--repo', 'cart', '--issue', 'bug.md', '--yes');
  expect(ended.code, ended.stderr).toBe(7);
  const all = ended.stdout + ended.stderr;
  expect(all).toContain('vitest: not found');
  expect(all).toContain('--setup-network');
  expect(all).toContain('When that is corrected, retry with:  ');
  expect(all).not.toMatch(/Plan, revision|sent back to the coder/);
  expect(ended.stderr.match(/^ +sh: .*vitest: not found$/gm)).toHaveLength(1);
  // What the progress has shown is not repeated below the result.
  expect(ended.stdout.trim().split('\n')).toEqual([expect.stringMatching(/^Ended as failed: .*vitest: not found/)]);

  // npm, which installs here, takes most of the time of this file.
  if (!isSoakRun || !isResolved) return;
  const allowed = await sluice('run', '--repo', 'cart', '--continue', '--setup-network', '--yes', '--json');
  expect(allowed.code, allowed.stderr).toBe(0);
  expect(JSON.parse(allowed.stdout)).toMatchObject({
    status: 'completed',
    result: { tests: { verdict: 'green', base_exit_code: 1 } },
  });
});

it.runIf(isSoakRun)('shows the first lines of a setup that failed, where npm says what is wrong', async () => {
  const lock = { name: 'cart', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'cart' } } };
  javaScriptRepo({ 'package-lock.json': JSON.stringify(lock) });
  const failed = await sluice('run', '--repo', 'cart', '--issue', 'bug.md', '--setup-network', '--yes', '--json');
  expect(failed.code, failed.stderr).toBe(7);
  const { error } = JSON.parse(failed.stdout) as { error: { stage: string; detail: string } };
  expect(error.stage).toBe('prepare');
  expect(error.detail).toContain('npm error code EUSAGE');
  expect(error.detail).toContain('Missing: vitest@5.0.0 from lock file');
});
