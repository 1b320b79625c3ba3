import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@sluice/core/error';
import { expect, test } from 'vitest';
import { createGit } from './git.ts';
import { refusalOf } from './git-failure.ts';
import type { GitRefusal } from './git-refusals.ts';
import { packProgram, type ReachedRemote } from './reached-remote.ts';
import { startHttpOrigin } from './test/http-origin.ts';
import { plainGit, type Scratch, scratchFolder, scratchRepository } from './test/scratch.ts';

const git = createGit({});

const localRemote = (path: string): ReachedRemote => ({ kind: 'local', url: path, canonical: path, name: 'r' });
const httpRemote = (url: string): ReachedRemote => ({
  kind: 'http',
  url,
  canonical: url,
  name: 'r',
  origin: new URL(url).origin,
  pin: null,
});

/** The refusal of a call: the row of the table, the code and whether it is retried. */
async function refusal(call: Promise<unknown>): Promise<readonly [GitRefusal | null, string, boolean]> {
  const error = await call.then(
    () => new Error('not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return [refusalOf(error), error.code, error.retry];
}

let caches = 0;

async function fetchFrom(scratch: Scratch, remote: ReachedRemote, what = '+refs/heads/*:refs/remotes/origin/*') {
  caches += 1;
  const gitDir = scratch.join(`cache-${caches}`);
  await git.run(['init', '-q', '--bare', '--', gitDir]);
  const program = packProgram(remote, 'upload-pack');
  return await git.run(['fetch', '-q', ...program, '--', remote.url, what], { at: { gitDir }, remote });
}

/** A repository whose only commit has a file at a path, by whatever name. */
async function repositoryWith(path: string, name: string): Promise<string> {
  await scratchRepository(path);
  const make = (args: string[], input: string) => execFileSync('git', args, { cwd: path, input }).toString().trim();
  const blob = make(['hash-object', '-w', '--stdin'], 'x');
  const folder = make(['mktree'], `100644 blob ${blob}\tconfig\n`);
  const tree = make(['mktree'], `040000 tree ${folder}\t${name}\n`);
  await plainGit(path, 'update-ref', 'refs/heads/main', await plainGit(path, 'commit-tree', '-m', 'x', tree));
  return path;
}

interface StandIn extends AsyncDisposable {
  readonly remote: ReachedRemote;
}

async function standIn(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<StandIn> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    remote: httpRemote(`http://127.0.0.1:${port}/certificate/redirect.git`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each(['.GIT', 'git~1'])('takes no tree with %s from a remote, and does not ask for it again', async (name) => {
  await using scratch = await scratchFolder();
  const path = await repositoryWith(scratch.join('r'), name);
  await using origin = await startHttpOrigin({ root: scratch.path, token: null });
  for (const remote of [localRemote(path), httpRemote(`http://127.0.0.1:${origin.port}/r/.git`)]) {
    expect(await refusal(fetchFrom(scratch, remote))).toEqual(['unsafe_object', 'repo_unsafe', false]);
  }
});

test('knows a repository that is not there, a branch, a commit and a format', async () => {
  await using scratch = await scratchFolder();
  const here = localRemote(await scratchRepository(scratch.join('r')));
  expect(await refusal(fetchFrom(scratch, localRemote(scratch.join('none'))))).toEqual([
    'no_repository',
    'remote_not_found',
    false,
  ]);
  expect(await refusal(fetchFrom(scratch, here, 'refs/heads/none'))).toEqual([
    'branch_absent',
    'base_branch_missing',
    false,
  ]);
  expect(await refusal(fetchFrom(scratch, here, '1'.repeat(40)))).toEqual(['commit_absent', 'git_failed', true]);
  await plainGit(scratch.path, 'init', '-q', '--object-format=sha256', 'sha256');
  await plainGit(scratch.join('sha256'), 'commit', '-q', '--allow-empty', '-m', 'first');
  expect(await refusal(fetchFrom(scratch, localRemote(scratch.join('sha256'))))).toEqual([
    'object_format',
    'remote_unusable',
    false,
  ]);
  const ssh: ReachedRemote = { ...here, url: 'ssh://127.0.0.1/r' };
  expect(await refusal(fetchFrom(scratch, ssh))).toEqual(['transport_refused', 'remote_unusable', false]);
});

test('knows a repository that is damaged at its place, or lacks objects there', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await plainGit(path, 'config', 'uploadpack.allowFilter', 'true');
  await plainGit(scratch.path, 'clone', '-q', '--filter=blob:none', '--no-checkout', `file://${path}`, 'partial');
  await plainGit(scratch.join('partial'), 'config', 'remote.origin.url', '/nonexistent');
  expect(await refusal(fetchFrom(scratch, localRemote(scratch.join('partial'))))).toEqual([
    'partial_clone',
    'remote_unusable',
    false,
  ]);
  const blob = await plainGit(path, 'rev-parse', 'HEAD:README.md');
  const object = scratch.join('r', '.git/objects', blob.slice(0, 2), blob.slice(2));
  await chmod(object, 0o644);
  await writeFile(object, 'no object');
  const damaged = ['damaged_object', 'repo_unsafe', false];
  expect(await refusal(fetchFrom(scratch, localRemote(path)))).toEqual(damaged);
  await rm(object);
  expect(await refusal(fetchFrom(scratch, localRemote(path)))).toEqual(damaged);
});

test.each([
  [301, 'moved', 'remote_not_found', false],
  [400, 'request_refused', 'remote_unusable', false],
  [401, 'access_denied', 'remote_access_denied', false],
  [403, 'access_denied', 'remote_access_denied', false],
  [404, 'not_found', 'remote_not_found', false],
  [410, 'not_found', 'remote_not_found', false],
  [408, 'overloaded', 'remote_unreachable', true],
  [429, 'overloaded', 'remote_unreachable', true],
  [451, 'request_refused', 'remote_unusable', false],
  [500, 'overloaded', 'remote_unreachable', true],
  [503, 'overloaded', 'remote_unreachable', true],
] as const)('takes HTTP %i for what it is', async (status, ...expected) => {
  const headers = { location: 'http://127.0.0.1:1/', 'www-authenticate': 'Basic realm="git"' };
  await using server = await standIn((_request, response) => response.writeHead(status, headers).end());
  const { remote } = server;
  const call = git.run(['ls-remote', '--', remote.url], { remote });
  expect(await refusal(call)).toEqual(expected);
});

test('tells a server that breaks off from one that sends a damaged pack', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  const pack = execFileSync('git', ['pack-objects', '-q', '--all', '--stdout'], { cwd: path });
  const damaged = Buffer.from(pack.map((byte, index) => (index === pack.length - 1 ? byte ^ 255 : byte)));
  const band = (content: Buffer) =>
    Buffer.concat([Buffer.from((content.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), content]);
  const serve = (fetch: (response: ServerResponse) => void) =>
    standIn((request, response) => {
      const answer = async (): Promise<void> => {
        const body = Buffer.concat(await request.toArray());
        if (body.includes('command=fetch')) return fetch(response);
        const isList = request.method === 'GET';
        const args = ['upload-pack', isList ? '--http-backend-info-refs' : '--stateless-rpc', path];
        const env = { PATH: process.env.PATH, GIT_PROTOCOL: 'version=2' };
        const said = execFileSync('git', args, { env, input: body });
        const kind = isList ? 'advertisement' : 'result';
        response.setHeader('content-type', `application/x-git-upload-pack-${kind}`);
        if (isList) response.write('001e# service=git-upload-pack\n0000');
        response.end(said);
      };
      answer().catch(() => response.destroy());
    });
  const begin = (response: ServerResponse, content: Buffer) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-result');
    response.write('000dpackfile\n');
    response.write(band(content));
  };
  const ways = [
    [(response: ServerResponse) => response.destroy(), 'broken_off', 'remote_unreachable'],
    [
      (response: ServerResponse) => {
        begin(response, pack.subarray(0, pack.length - 60));
        response.write('', () => response.destroy());
      },
      'broken_off',
      'remote_unreachable',
    ],
    [
      (response: ServerResponse) => {
        begin(response, damaged);
        response.end('0000');
      },
      'damaged_pack',
      'git_failed',
    ],
  ] as const;
  for (const [way, row, code] of ways) {
    await using server = await serve(way);
    expect(await refusal(fetchFrom(scratch, server.remote))).toEqual([row, code, true]);
  }
});

test('knows a server that only offers files, which a fetch reads and a push cannot write', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await plainGit(path, 'update-server-info');
  await using server = await standIn(({ url = '' }, response) => {
    const file = url.replace('/certificate/redirect.git', '').replace(/\?.*/, '');
    readFile(scratch.join('r', '.git', file.slice(1))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  const { remote } = server;
  await fetchFrom(scratch, remote);
  const at = { gitDir: scratch.join('r', '.git') };
  const push = git.run(['push', '--porcelain', '--', remote.url, 'HEAD:refs/heads/new'], { at, remote });
  expect(await refusal(push)).toEqual(['files_only', 'remote_unusable', false]);
  await expect(push).rejects.toThrow(remote.url);
});

test('knows a server that speaks no TLS, and one that is not there', async () => {
  await using server = await standIn((_request, response) => response.end());
  const plain = httpRemote(server.remote.url.replace('http:', 'https:'));
  expect(await refusal(git.run(['ls-remote', '--', plain.url], { remote: plain }))).toEqual([
    'no_tls',
    'remote_unreachable',
    true,
  ]);
  const absent = httpRemote('https://127.0.0.1:1/certificate.git');
  expect(await refusal(git.run(['ls-remote', '--', absent.url], { remote: absent }))).toEqual([
    'no_connection',
    'remote_unreachable',
    true,
  ]);
});

test('knows why a remote does not take a branch, and a lock that another process holds in the clone', async () => {
  await using scratch = await scratchFolder();
  const path = await scratchRepository(scratch.join('r'));
  await plainGit(scratch.path, 'clone', '-q', '--bare', path, 'b.git');
  const remote = localRemote(scratch.join('b.git'));
  const at = { gitDir: scratch.join('r', '.git') };
  const lock = scratch.join('b.git', 'refs/heads/new.lock');
  await mkdir(scratch.join('b.git', 'refs/heads'), { recursive: true });
  await writeFile(lock, '');
  const push = (...more: string[]) =>
    git.run(
      ['push', '--porcelain', ...more, ...packProgram(remote, 'receive-pack'), '--', remote.url, 'HEAD:refs/heads/new'],
      { at, remote },
    );
  expect(await refusal(push())).toEqual(['remote_locked', 'git_failed', true]);
  await rm(lock);
  expect(await refusal(push(`--force-with-lease=refs/heads/new:${'1'.repeat(40)}`))).toEqual([
    'lease_stale',
    'git_failed',
    true,
  ]);
  await plainGit(remote.url, 'config', 'receive.maxInputSize', '10');
  expect(await refusal(push())).toEqual(['unpack_refused', 'push_rejected', false]);
  await plainGit(remote.url, 'config', '--unset', 'receive.maxInputSize');
  await plainGit(remote.url, 'config', 'receive.hideRefs', 'refs/heads/new');
  expect(await refusal(push())).toEqual(['push_refused', 'push_rejected', false]);
  await writeFile(scratch.join('r', '.git/index.lock'), '');
  const add = git.run(['add', '-A'], { at: { ...at, workTree: path } });
  expect(await refusal(add)).toEqual(['locked', 'git_failed', true]);
});
