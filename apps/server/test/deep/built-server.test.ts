import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { eventually, startChromaServer } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { signUp } from '../http-session.ts';
import { mainJobVariants } from '../main-job-variants.ts';
import { makeBuggyRepo, makeScratchRepo } from '../scratch-repo.ts';
import { startProcess } from '../service-process.ts';
import { sharedServices } from '../shared-services.ts';

// Usual way: apps/server/test/built-server.test.ts

const root = fileURLToPath(new URL('../../../..', import.meta.url));

// Outside the checkout, so that nothing of it is found by looking in the folders above.
const built = mkdtempSync(join(tmpdir(), 'sluice-built-'));
/** The commit of the build, which is not that of the checkout: that may have no git folder. */
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

beforeAll(() => {
  const args = [join(root, 'scripts/build.ts'), '--out', built, '--commit', COMMIT];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  expect(stderr).toBe('');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

async function startBuilt(environment: Record<string, string> = {}) {
  const server = await startProcess(environment, [], { program: join(built, 'server.js') });
  return {
    url: server.url,
    pid: server.pid,
    [Symbol.asyncDispose]: async () => {
      expect(await server.stop()).toBe(0);
      rmSync(server.dataDir, { recursive: true, force: true });
    },
  };
}

/** The built command line. */
function sluice(args: readonly string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...environment };
  return spawnSync(process.execPath, [join(built, 'sluice.js'), ...args], { cwd: built, env, encoding: 'utf8' });
}

mainJobVariants('embedded, as it is built', startBuilt);

describe('the built service', () => {
  it('migrates Postgres at start, and completes an issue with Postgres, Redis and Chroma', async () => {
    await using services = await sharedServices();
    await using chroma = await startChromaServer();
    const environment = { ...(await services.installation({ isMigrated: false })), CHROMA_URL: chroma.url.href };
    const migrated = sluice(['migrate', '--json'], environment);
    expect(JSON.parse(migrated.stdout)).toMatchObject({ database: 'postgres' });
    expect(JSON.parse(migrated.stdout).changes[0]).toMatch(/^0000_/);
    expect(JSON.parse(sluice(['migrate', '--json'], environment).stdout).changes).toEqual([]);

    await using server = await startBuilt(environment);
    await eventually(async () => expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200));
    const repo = makeBuggyRepo();
    const person = await signUp(server.url);
    const { id } = await anIssueAtGate(person, { repo });
    await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    const done = await person.reaches(id, 'completed');
    expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
  });

  it.each([
    ['16 threads by itself', {}, 16],
    ['as many threads as the operator sets', { UV_THREADPOOL_SIZE: '7' }, 7],
  ])('looks up the operator’s hosts by %s', async (_, environment, threads) => {
    await using server = await startBuilt(environment);
    const tasks = `/proc/${server.pid}/task`;
    const names = readdirSync(tasks).map((task) => readFileSync(join(tasks, task, 'comm'), 'utf8').trim());
    expect(names.filter((name) => name === 'libuv-worker')).toHaveLength(threads);
  });

  it('finds code by its symbols, so its threads and its grammars are there', async () => {
    await using server = await startBuilt();
    const repo = makeScratchRepo({
      'tide.py': 'import math\n\n\ndef spring_tide(height):\n    return math.sqrt(height)\n',
    });
    const person = await signUp(server.url);
    const { repoId } = await anIssueAtGate(person, { repo });
    const found = await person.call('GET', `/api/repos/${repoId}/search?q=spring_tide`);
    expect(found.body).toMatchObject({ items: [{ path: 'tide.py', symbol: 'spring_tide' }] });
  });

  it('reads which tests fail, so the thread that reads their output is there', async () => {
    await using server = await startBuilt();
    const person = await signUp(server.url);
    const repo = makeBuggyRepo({ testScript: 'echo "1..1"\necho "not ok 1 - old"\nexit 1\n' });
    const { id } = await anIssueAtGate(person, { repo, fields: { settings: { allow_red_base: true } } });
    await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    const done = await person.reaches(id, 'completed');
    expect(done.result?.tests?.verdict).toBe('red_as_before'); // passes only when every failure is known by name
  });

  it('keeps vectors, so the SQLite extension is there', async () => {
    await using server = await startBuilt({
      EMBEDDING_MODEL: 'compatible/any',
      MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    await eventually(async () => {
      const ready = await fetch(`${server.url}/api/health/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'up' }]);
    });
  });

  it('serves the page of the document with the renderer that it brings', async () => {
    await using server = await startBuilt();
    for (const path of ['', '/start.js', '/swagger-ui-bundle.js', '/swagger-ui.css']) {
      const answer = await fetch(`${server.url}/api/docs${path}`);
      expect([answer.status, (await answer.text()).length > 100], path).toEqual([200, true]);
    }
    expect(readFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('swagger-ui-dist');
  });

  it('serves the console that it brings', async () => {
    await using server = await startBuilt();
    const page = await fetch(`${server.url}/login`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [asset = ''] = /\/assets\/[\w-]+\.js/.exec(await page.text()) ?? [];
    const script = await fetch(server.url + asset, { headers: { 'accept-encoding': 'br' } });
    expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await script.text()).length).toBeGreaterThan(10_000);
    expect(readFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^react-dom \d/m);
  });

  it('brings ripgrep for this machine', async () => {
    const ripgrep = join(built, 'node_modules/@vscode/ripgrep/lib/index.js');
    const { rgPath } = await import(ripgrep);
    expect(rgPath.startsWith(built)).toBe(true);
    expect(spawnSync(rgPath, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^ripgrep /);
  });

  it('brings the program that carries connections out of the sandbox, as one file', async () => {
    const forwarder = join(built, 'forwarder.mjs');
    expect(readFileSync(forwarder, 'utf8')).not.toMatch(/from ['"]\./);
    const child = spawn(process.execPath, [forwarder, '0', join(built, 'no.sock'), 'sh', '-c', 'exit 7']);
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('brings the command line, with the same version and commit as the service', async () => {
    await using server = await startBuilt();
    const person = await signUp(server.url);
    const { body } = await person.call<{ details: { version: string; commit: string } }>('GET', '/api/server');
    const { version, commit } = body.details;
    expect(commit).toBe(COMMIT);
    const stdout = `${version} (${COMMIT.slice(0, 10)})\n`;
    expect(sluice(['--version'])).toMatchObject({ status: 0, stdout });
  });

  it('runs code that the build has compiled, wherever it was moved', () => {
    const moved = mkdtempSync(join(tmpdir(), 'sluice-moved-'));
    cpSync(built, moved, { recursive: true });
    const env = { PATH: process.env.PATH, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    const { stdout, stderr } = spawnSync(process.execPath, [join(moved, 'sluice.js'), '--help'], {
      env,
      encoding: 'utf8',
    });
    const used = [...`${stdout}${stderr}`.matchAll(/\/([\w-]+)-[\w-]{8}\.js was (accepted|rejected)/g)];
    rmSync(moved, { recursive: true });
    expect(used.map(([, name]) => name)).toContain('program');
    expect(used.filter(([, , verdict]) => verdict === 'rejected')).toEqual([]);
    expect(readdirSync(join(built, 'compile-cache'))).toHaveLength(1);
  });

  it('is JavaScript and data alone, and carries the licences of what it contains', () => {
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.[cm]?ts$/.test(file) && !file.startsWith('node_modules/'))).toEqual([]);
    const notices = readFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(/^express \d[\s\S]*\bMIT\b/m);
    expect(notices).toMatch(/^graphile-worker \d/m);
  });

  it('lists what it contains as a valid bill of materials: all that is bundled, and the packages beside it', async () => {
    const text = readFileSync(join(built, 'sbom.cdx.json'), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: { name: string; purl: string }[] };
    const names = components.map(({ name }) => name);
    const noticed = readFileSync(join(built, 'THIRD-PARTY-NOTICES.txt'), 'utf8').matchAll(
      /^(\S+) \d+\.\d+\.\d+\S* \(/gm,
    );
    for (const [, name] of noticed) expect(names).toContain(name);
    const { dependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(dependencies)) {
      expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
  });
});
