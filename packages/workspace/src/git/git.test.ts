import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { localHosts, newId, until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { createGit } from './git.ts';
import { gitOwnerMark } from './orphaned-git.ts';
import { reachRemote } from './reach-remote.ts';
import { startHttpOrigin } from './test/http-origin.ts';
import { plainGit, scratchFolder, scratchRepository } from './test/scratch.ts';

const never = new AbortController().signal;

/** The processes of this test's own git calls, by the mark in their environment. */
function processesOf(root: string): { pid: number; argv: string }[] {
  const mark = Object.entries(gitOwnerMark(root)).map(([key, value]) => `${key}=${value}`)[0] ?? '';
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark)) return [];
        return [{ pid: Number(pid), argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    });
}

test('reads no configuration but its own and that of the git directory it was given', async () => {
  await using scratch = await scratchFolder();
  await plainGit(scratch.path, 'init', '-q', '--bare', 'r.git');
  const { stdout } = await createGit({}).run(['config', '--list', '--show-scope'], {
    at: { gitDir: scratch.join('r.git') },
  });
  const scopes = new Set(
    stdout
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0]),
  );
  expect(scopes).toEqual(new Set(['local', 'command']));
  for (const setting of [
    'core.hookspath=/dev/null',
    'core.fsmonitor=false',
    'protocol.allow=never',
    'http.followredirects=false',
    'submodule.recurse=false',
    'diff.ignoresubmodules=all',
    'fetch.recursesubmodules=false',
    'transfer.fsckobjects=true',
    'credential.helper=',
    'gc.auto=0',
    'user.useconfigonly=true',
  ]) {
    expect(stdout.toString()).toContain(`command\t${setting}\n`);
  }
});

test('hands the environment of the service to no git', async () => {
  process.env.SLUICE_TEST_SECRET = 'do-not-pass';
  try {
    const { stdout } = await createGit({}).run(['-c', 'alias.x=!env', 'x']);
    expect(stdout.toString()).not.toContain('do-not-pass');
    expect(stdout.toString()).toContain('GIT_TERMINAL_PROMPT=0');
    // The table of refusals reads English.
    expect(stdout.toString()).toMatch(/^LC_ALL=C$/m);
  } finally {
    delete process.env.SLUICE_TEST_SECRET;
  }
});

test.each([
  'ext::sh -c "touch /tmp/pwned"',
  'file:///etc',
  '/etc',
  'ssh://localhost/x',
  'git://localhost/x',
  'http://localhost/x',
])('talks to %s for no call that was not given it as its remote', async (url) => {
  await expect(createGit({}).run(['ls-remote', '--', url])).rejects.toThrow(/not allowed/);
});

test('takes a value that looks like an option as a value', async () => {
  await using scratch = await scratchFolder();
  const canary = scratch.join('canary');
  const remote = { kind: 'local', url: `--upload-pack=touch ${canary}`, canonical: '', name: '' } as const;
  await expect(createGit({}).run(['ls-remote', '--', remote.url], { remote })).rejects.toThrow();
  expect(readdirSync(scratch.path)).toEqual([]);
});

test('ends a call with too much output', async () => {
  const call = createGit({}).run(['-c', 'alias.x=!yes', 'x'], { maxOutputBytes: 100_000 });
  await expect(call).rejects.toMatchObject({ code: 'repo_too_large', message: expect.stringContaining('97.7 KiB') });
});

test('ends a call that takes too long, with all that it has started', async () => {
  await using scratch = await scratchFolder();
  const git = createGit({ ownerRoot: scratch.path });
  const call = git.run(['-c', 'alias.x=!sleep 1000 & sleep 1000', 'x'], { timeoutMs: 200 });
  await expect(call).rejects.toMatchObject({
    code: 'git_timeout',
    retry: false,
    message: expect.stringContaining('longer than'),
  });
  expect(processesOf(scratch.path)).toEqual([]);
});

test('reports that git is missing', async () => {
  await expect(createGit({ searchPath: '/nonexistent' }).run(['version'])).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('is it installed'),
  });
});

test('does not begin what was cancelled before', async () => {
  const reason = new Error('cancelled before');
  const call = createGit({}).run(['version'], { signal: AbortSignal.abort(reason) });
  await expect(call).rejects.toBe(reason);
});

test('leaves no process behind when a fetch is cancelled in the middle', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('origin'));
  await using origin = await startHttpOrigin({ root: scratch.path, token: null });
  origin.stall();
  await plainGit(scratch.path, 'init', '-q', '--bare', 'c.git');
  const url = `http://127.0.0.1:${origin.port}/origin/.git`;
  const policy = { allowLocalRepos: false, allowPrivateHosts: true, allowInsecureHttp: true, hosts: localHosts };
  const remote = await reachRemote(policy, { url, userId: newId() }, never);
  const cancel = new AbortController();
  const git = createGit({ ownerRoot: scratch.path });
  const fetch = git.run(['fetch', '--', remote.url, '+refs/heads/*:refs/x/*'], {
    at: { gitDir: scratch.join('c.git') },
    remote,
    signal: cancel.signal,
  });
  fetch.catch(() => undefined);
  await until('the fetch hangs in its transfer', () =>
    origin.requests.some(({ url: path }) => path.endsWith('upload-pack')),
  );
  await until('the helper runs', () => processesOf(scratch.path).some(({ argv }) => argv.includes('remote-http')));
  const reason = new Error('cancelled by a person');
  const before = Date.now();
  cancel.abort(reason);
  await expect(fetch).rejects.toBe(reason);
  expect(Date.now() - before).toBeLessThan(30_000); // a busy machine; the transfer itself has no end
  expect(processesOf(scratch.path)).toEqual([]);
});

test('sends the token to its origin in no argument and leaves it in no file', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('origin'));
  const token = 'tok-4711-very-secret';
  await using origin = await startHttpOrigin({ root: scratch.path, token });
  await plainGit(scratch.path, 'init', '-q', '--bare', 'c.git');
  const policy = { allowLocalRepos: false, allowPrivateHosts: true, allowInsecureHttp: true, hosts: localHosts };
  const url = `http://127.0.0.1:${origin.port}/origin/.git`;
  const remote = await reachRemote(policy, { url, userId: newId() }, never);
  const git = createGit({ ownerRoot: scratch.path });
  const call = { at: { gitDir: scratch.join('c.git') }, remote, token };
  const samples: string[] = [];
  const watch = setInterval(() => samples.push(...processesOf(scratch.path).map(({ argv }) => argv)), 2);
  try {
    for (let round = 0; round < 5; round += 1) {
      await git.run(['fetch', '--', remote.url, `+refs/heads/*:refs/x${round}/*`], call);
    }
  } finally {
    clearInterval(watch);
  }
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  expect(origin.requests.some(({ authorization }) => authorization === `Basic ${basic}`)).toBe(true);
  expect(samples.length).toBeGreaterThan(5);
  expect(samples.filter((argv) => argv.includes(token) || argv.includes(basic))).toEqual([]);
  const files = readdirSync(scratch.join('c.git'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const leaks = files.filter((entry) => {
    const content = readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1');
    return content.includes(token) || content.includes(basic);
  });
  expect(leaks).toEqual([]);
});

test('keeps the token from a server that a redirect names', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('origin'));
  await using elsewhere = await startHttpOrigin({ root: scratch.path, token: null });
  await using origin = await startHttpOrigin({ root: scratch.path, token: 'tok' });
  origin.redirectTo(`http://127.0.0.1:${elsewhere.port}`);
  const policy = { allowLocalRepos: false, allowPrivateHosts: true, allowInsecureHttp: true, hosts: localHosts };
  const url = `http://127.0.0.1:${origin.port}/origin/.git`;
  const remote = await reachRemote(policy, { url, userId: newId() }, never);
  const call = createGit({}).run(['ls-remote', '--', remote.url], { remote, token: 'tok' });
  await expect(call).rejects.toMatchObject({
    code: 'remote_not_found',
    retry: false,
    message: expect.stringContaining('redirect'),
  });
  expect(elsewhere.requests).toEqual([]);
});

test('streams without holding more than its reader takes', async () => {
  await using scratch = await scratchFolder();
  const repository = await scratchRepository(scratch.join('r'));
  await writeFile(scratch.join('r', 'big'), Buffer.alloc(32 * 1024 * 1024, 'x'));
  const blob = await plainGit(repository, 'hash-object', '-w', 'big');
  const git = createGit({ ownerRoot: scratch.path });
  const stream = git.stream(['cat-file', 'blob', blob], { at: { gitDir: scratch.join('r', '.git') } });
  for await (const chunk of stream.stdout) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  stream.stop();
  await until('the process is gone', () => processesOf(scratch.path).length === 0);
});
