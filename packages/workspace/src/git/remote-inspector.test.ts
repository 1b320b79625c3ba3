import { chmod, chown, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { localHosts, scriptedHosts } from '@sluice/testing';
import { expect, test } from 'vitest';
import { createRemoteInspector, type RemoteInspectorOptions } from './remote-inspector.ts';
import { startHttpOrigin } from './test/http-origin.ts';
import { plainGit, scratchFolder, scratchRepository } from './test/scratch.ts';

const never = new AbortController().signal;
function inspectorOf(options: Omit<RemoteInspectorOptions, 'hosts'> & Partial<RemoteInspectorOptions>) {
  const inspector = createRemoteInspector({ hosts: localHosts, ...options });
  const userId = 'user-1' as UserId;
  return {
    inspect: (url: string, token: string | null, signal: AbortSignal) =>
      inspector.inspect({ url, token, userId }, signal),
  };
}

const local = inspectorOf({ allowLocalRepos: true, allowPrivateHosts: false });
const onLoopback = inspectorOf({ allowLocalRepos: false, allowPrivateHosts: true, allowInsecureHttp: true });
const strict = inspectorOf({ allowLocalRepos: false, allowPrivateHosts: false });
const asRoot = process.getuid?.() === 0;

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? `${error.code}: ${error.message}` : `not refused: ${String(error)}`;
}

test.each([
  'ext::sh -c id',
  'ssh://git@example.com/x/y',
  'git@example.com:x/y.git',
  'git://example.com/x/y',
  'http://example.com/x/y',
  'https://user:pass@example.com/x/y',
  'https://example.com/x/y?z=1',
  '--upload-pack=id',
  'https://example.com',
])('refuses %s', async (url) => {
  expect(await refusal(strict.inspect(url, null, never))).toMatch(/^remote_refused: /);
});

test.each([
  'https://127.0.0.1/x/y',
  'https://2130706433/x/y',
  'https://0x7f.1/x/y',
  'https://[::1]/x/y',
  'https://[::ffff:10.0.0.1]/x/y',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/x/y',
  'https://example.com./x/y',
])('refuses %s, which is not on the public internet or could hide that', async (url) => {
  expect(await refusal(strict.inspect(url, null, never))).toMatch(/^remote_refused: /);
});

test('reaches an origin that the operator has named over http on this machine, and no other port of it', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(`${scratch.path}/r`);
  await using named = await startHttpOrigin({ root: scratch.path, token: null });
  await using other = await startHttpOrigin({ root: scratch.path, token: null });
  const at = (host: string, port: number): string => `http://${host}:${port}/r/.git`;
  const trusting = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: false,
    trustedOrigins: [`http://127.0.0.1:${named.port}`],
  });
  expect(await trusting.inspect(at('127.0.0.1', named.port), null, never)).toMatchObject({ defaultBranch: 'main' });
  for (const url of [at('127.0.0.1', other.port), at('localhost', named.port), `https://127.0.0.1:${named.port}/r`]) {
    expect(await refusal(trusting.inspect(url, null, never)), url).toMatch(/^remote_refused: /);
  }
});

test('refuses a name of which one address is private, and one that resolves to nothing', async () => {
  const mixed = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: false,
    hosts: scriptedHosts(async () => ['140.82.121.4', '10.0.0.1']),
  });
  expect(await refusal(mixed.inspect('https://git.example/x/y', null, never))).toMatch(
    /^remote_refused: .*ALLOW_PRIVATE_HOSTS/,
  );
  const nothing = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: false,
    hosts: scriptedHosts(async () => []),
  });
  expect(await refusal(nothing.inspect('https://git.example/x/y', null, never))).toMatch(
    /^repo_unreachable: .*resolved/,
  );
});

test('connects to the checked address, even if the name changes', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('owner', 'name'));
  await using origin = await startHttpOrigin({ root: scratch.path, token: null });
  // No resolver knows this name: git reaches the server only by the address it was given.
  const pinned = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: true,
    allowInsecureHttp: true,
    hosts: scriptedHosts((host, { owner }) => (host === 'pinned.invalid' && owner === 'user-1' ? ['127.0.0.1'] : [])),
  });
  const facts = await pinned.inspect(`http://pinned.invalid:${origin.port}/owner/name/.git`, null, never);
  expect(facts.branches).toEqual(['main']);
  expect(origin.requests[0]?.host).toBe(`pinned.invalid:${origin.port}`);
});

test('leaves the name of an origin that the operator has named to git alone', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('r'));
  await using origin = await startHttpOrigin({ root: scratch.path, token: null });
  const asked: string[] = [];
  const trusting = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: false,
    trustedOrigins: [`http://localhost:${origin.port}`],
    hosts: scriptedHosts((host) => {
      asked.push(host);
      return [];
    }),
  });
  const facts = await trusting.inspect(`http://localhost:${origin.port}/r/.git`, null, never);
  expect([facts.branches, asked]).toEqual([['main'], []]);
});

test.each([
  ['unknown', 'could not be resolved'],
  ['no_answer', 'no name server answered'],
  ['too_many', 'try again in a few seconds'],
] as const)('says that the name of a server is not resolved: %s', async (reason, words) => {
  const hosts = { resolve: async () => ({ kind: 'unresolved', reason }) as const };
  const inspector = inspectorOf({ allowLocalRepos: false, allowPrivateHosts: false, hosts });
  expect(await refusal(inspector.inspect('https://git.example/x/y', null, never))).toMatch(
    new RegExp(`^repo_unreachable: The name of the server .*${words}`),
  );
});

test('stops waiting for a resolver when cancelled', async () => {
  const stuck = inspectorOf({
    allowLocalRepos: false,
    allowPrivateHosts: false,
    hosts: scriptedHosts(() => new Promise(() => undefined)),
  });
  const cancel = new AbortController();
  const call = stuck.inspect('https://git.example/x/y', null, cancel.signal);
  const reason = new Error('cancelled');
  cancel.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test('says that a repository asks for access, with no token and with a wrong one, and does not prompt', async () => {
  await using scratch = await scratchFolder();
  await scratchRepository(scratch.join('r'));
  await using origin = await startHttpOrigin({ root: scratch.path, token: 'right' });
  const url = `http://127.0.0.1:${origin.port}/r/.git`;
  for (const token of [null, 'wrong']) {
    expect(await refusal(onLoopback.inspect(url, token, never))).toMatch(
      /^repo_unreachable: The repository asks for access/,
    );
  }
  expect((await onLoopback.inspect(url, 'right', never)).defaultBranch).toBe('main');
});

test('says that there is no repository, that it has moved, and that a server speaks no TLS or is not there', async () => {
  await using scratch = await scratchFolder();
  await using origin = await startHttpOrigin({ root: scratch.path, token: null });
  const at = (scheme: string, port: number): string => `${scheme}://127.0.0.1:${port}/nowhere/x`;
  expect(await refusal(onLoopback.inspect(at('http', origin.port), null, never))).toMatch(
    /^repo_unreachable: There is no git/,
  );
  expect(await refusal(onLoopback.inspect(at('https', origin.port), null, never))).toMatch(
    /^repo_unreachable: No secure/,
  );
  origin.redirectTo('http://127.0.0.1:1');
  expect(await refusal(onLoopback.inspect(at('http', origin.port), null, never))).toMatch(
    /^repo_unreachable: .*has moved/,
  );
  expect(await refusal(onLoopback.inspect(at('https', 1), null, never))).toMatch(
    /^repo_unreachable: .*could not be reached/,
  );
});

test('gives up on a server that never answers', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    const impatient = inspectorOf({
      allowLocalRepos: false,
      allowPrivateHosts: true,
      allowInsecureHttp: true,
      timeoutMs: 300,
    });
    const { port } = silent.address() as AddressInfo;
    const call = impatient.inspect(`http://127.0.0.1:${port}/x/y`, null, never);
    expect(await refusal(call)).toMatch(/^repo_unreachable: .*took longer/);
  } finally {
    silent.close();
  }
});

test('does not inspect a path of this host unless the operator allows it', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  expect(await refusal(strict.inspect(path, null, never))).toMatch(/^remote_refused: .*ALLOW_LOCAL_REPOS/);
  expect(await refusal(strict.inspect(`file://${path}`, null, never))).toMatch(/^remote_refused: .*ALLOW_LOCAL_REPOS/);
});

test('gives one canonical remote for a repository, a link to it, its .git folder and its worktrees', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await symlink(path, scratch.join('link'));
  await plainGit(path, 'worktree', 'add', '-q', '-b', 'side', scratch.join('side'));
  for (const given of [
    path,
    `${path}/`,
    scratch.join('link'),
    `file://${path}`,
    `${path}/.git`,
    scratch.join('side'),
  ]) {
    expect((await local.inspect(given, null, never)).canonicalRemote).toBe(path);
  }
  expect((await local.inspect(scratch.join('side'), null, never)).defaultBranch).toBe('side');
});

test('reads a bare repository, and the default branch by its HEAD', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await plainGit(path, 'branch', 'trunk');
  await plainGit(scratch.path, 'clone', '-q', '--bare', path, 'b.git');
  await plainGit(scratch.join('b.git'), 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
  expect(await local.inspect(scratch.join('b.git'), null, never)).toEqual({
    url: scratch.join('b.git'),
    canonicalRemote: scratch.join('b.git'),
    name: 'b',
    defaultBranch: 'trunk',
    branches: ['main', 'trunk'],
  });
});

test('finds a default branch where HEAD is detached or names none', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await plainGit(path, 'checkout', '-q', '--detach');
  expect((await local.inspect(path, null, never)).defaultBranch).toBe('main');
  await plainGit(path, 'symbolic-ref', 'HEAD', 'refs/heads/unborn');
  expect((await local.inspect(path, null, never)).defaultBranch).toBe('main');
});

test('reports that SHA-256 repositories are not supported', async () => {
  await using scratch = await scratchFolder();
  await plainGit(scratch.path, 'init', '-q', '--object-format=sha256', 'new');
  await plainGit(scratch.join('new'), 'commit', '-q', '--allow-empty', '-m', 'first');
  expect(await refusal(local.inspect(scratch.join('new'), null, never))).toMatch(/^repo_unreachable: .*SHA-256/);
});

test('reports an empty repository, and a folder that is not one', async () => {
  await using scratch = await scratchFolder();
  await plainGit(scratch.path, 'init', '-q', 'empty');
  await scratchRepository(scratch.join('r'));
  expect(await refusal(local.inspect(scratch.join('empty'), null, never))).toMatch(
    /^repo_unreachable: The repository is empty/,
  );
  for (const path of [scratch.path, scratch.join('r', 'src'), scratch.join('r', 'README.md')]) {
    expect(await refusal(local.inspect(path, null, never))).toMatch(/^repo_unreachable: .*root of a git/);
  }
  expect(await refusal(local.inspect(scratch.join('no'), null, never))).toMatch(
    /^repo_unreachable: There is no such folder/,
  );
  expect(await refusal(local.inspect(scratch.join('no'), null, never))).not.toContain(scratch.path);
});

test("refuses the service's own data, also through links, .git files and borrowed objects", async () => {
  await using scratch = await scratchFolder();
  const hidden = await scratchRepository(scratch.join('data', 'r'));
  const guarded = inspectorOf({
    allowLocalRepos: true,
    allowPrivateHosts: false,
    forbiddenRoots: [scratch.join('data')],
  });
  await symlink(hidden, scratch.join('link'));
  await mkdir(scratch.join('pointer'));
  await writeFile(scratch.join('pointer', '.git'), `gitdir: ${hidden}/.git\n`);
  await plainGit(scratch.path, 'init', '-q', '--bare', 'borrowed');
  await writeFile(scratch.join('borrowed', 'objects', 'info', 'alternates'), `${hidden}/.git/objects\n`);
  await mkdir(scratch.join('linked', 'refs'), { recursive: true });
  await writeFile(scratch.join('linked', 'HEAD'), 'ref: refs/heads/main\n');
  await symlink(`${hidden}/.git/objects`, scratch.join('linked', 'objects'));
  for (const path of [
    hidden,
    scratch.join('link'),
    scratch.join('pointer'),
    scratch.join('borrowed'),
    scratch.join('linked'),
  ]) {
    expect(await refusal(guarded.inspect(path, null, never))).toMatch(/^remote_refused: .*own data/);
  }
});

test.runIf(asRoot)('reads a repository that belongs to another user', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  for (const name of ['', ...(await readdir(path, { recursive: true }))])
    await chown(`${path}/${name}`, 65_534, 65_534);
  expect((await local.inspect(path, null, never)).branches).toEqual(['main']);
});

test('runs nothing that the configuration of a local repository names', async () => {
  await using scratch = await scratchFolder();
  const lender = await scratchRepository(scratch.join('lender'));
  const path = await scratchRepository(scratch.join('r'));
  const trap = scratch.join('trap.sh');
  await writeFile(trap, `#!/bin/sh\ntouch ${scratch.join('canary')}\n`);
  await chmod(trap, 0o755);
  await writeFile(`${path}/.git/objects/info/alternates`, `${lender}/.git/objects\n`);
  for (const key of ['core.fsmonitor', 'core.alternateRefsCommand', 'core.sshCommand', 'uploadpack.packObjectsHook']) {
    await plainGit(path, 'config', key, trap);
  }
  await local.inspect(path, null, never);
  await expect(lstat(scratch.join('canary'))).rejects.toThrow();
});
