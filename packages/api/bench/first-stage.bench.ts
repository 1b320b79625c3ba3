import { execFileSync, fork } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RepoId } from '@sluice/core/id';
import { openPostgres, openSqlite, type Stores } from '@sluice/db';
import { aNewRepo, newId, startPostgres } from '@sluice/testing';
import { it } from 'vitest';
import { addSignedIn, CREATIONS, startBuilt } from './built-service.ts';
import { type HttpLoad, loadOf } from './http-load.ts';
import { median } from './median.ts';
import { nextMessage } from './next-message.ts';
import { clock } from './open-stores.ts';
import { cpuOf } from './process-cpu.ts';

const USERS = 13; // of ten creations each
const WARM_USERS = 2;
const QUIET_MS = 150; // git of the cancelled issue has ended by then
const COMMITS = 500;

// The time that a person waits: they have the stream of all their issues open, as a frontend has, and file an issue on a
// repository that the service has never cloned.
it('starts the first stage of an issue, embedded', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const users = await filled(await openSqlite({ dataDir: folder, clock }));
  await measure('embedded', { folder, users, env: {} });
});

it('starts the first stage of an issue, with Postgres', { timeout: 600_000 }, async () => {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const env = { DATABASE_URL: url, ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}` };
  // The service makes the database with its queue.
  const first = await startBuilt(folder, env);
  first.child.kill();
  await new Promise((resolve) => first.child.once('exit', resolve));
  const users = await filled(await openPostgres({ url, clock, applicationName: 'bench' }));
  await measure('Postgres', { folder, users, env });
});

interface User {
  readonly cookie: string;
  readonly repoIds: readonly RepoId[];
}

/** Users, each with ten repositories of this host. */
async function filled(opened: Stores): Promise<User[]> {
  await using stores = opened;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-')); // the service refuses those in its own
  const sample = join(folder, 'sample.git');
  makeSample(sample);
  const users: User[] = [];
  for (let made = 0; made < USERS; made += 1) {
    const { id, cookie } = await addSignedIn(stores);
    const repoIds: RepoId[] = [];
    for (let added = 0; added < CREATIONS; added += 1) {
      const repoId = newId<RepoId>();
      const url = join(folder, `${repoId}.git`);
      cpSync(sample, url, { recursive: true });
      await stores.repos.create(aNewRepo({ id: repoId, userId: id, url, canonicalRemote: url }));
      repoIds.push(repoId);
    }
    users.push({ cookie, repoIds });
  }
  return users;
}

function makeSample(bare: string): void {
  const tree = `${bare}-tree`;
  mkdirSync(tree);
  writeFileSync(join(tree, 'sum.js'), 'export const sum = (...all) => all.reduce((one, other) => one + other);\n');
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args]);
  git('-C', tree, 'init', '-q', '-b', 'main');
  git('-C', tree, 'add', '-A');
  git('-C', tree, 'commit', '-q', '-m', 'base');
  git('clone', '-q', '--bare', tree, bare);
}

interface Measured {
  readonly folder: string;
  readonly users: readonly User[];
  readonly env: Readonly<Record<string, string>>;
}

async function measure(mode: string, { folder, users, env }: Measured): Promise<void> {
  const served = { ALLOW_LOCAL_REPOS: 'on', MAX_ACTIVE_PIPELINES: '5', SANDBOX: 'none', ...env };
  const { child, pid, port } = await startBuilt(folder, served);
  await using _ = { [Symbol.asyncDispose]: async () => void child.kill() };
  const load = loadOf(port);
  const answered: number[] = [];
  const created: number[] = [];
  const started: number[] = [];
  const cpu: number[] = [];
  for (const [at, { cookie, repoIds }] of users.entries()) {
    const stream = await openStream(port, cookie);
    for (const repoId of repoIds) {
      const before = cpuOf(pid);
      const sentAt = performance.now();
      const seen = Promise.all([
        stream.next('issue.created'),
        stream.next('stage.started').then((startedAt) => {
          if (at >= WARM_USERS) cpu.push((cpuOf(pid) - before) / 1_000);
          return startedAt;
        }),
      ]);
      const answer = file(load, { cookie, repoId }).then((id) => ({ id, at: performance.now() }));
      const [[createdAt, startedAt], { id, at: answeredAt }] = await Promise.all([seen, answer]);
      if (at >= WARM_USERS) {
        answered.push(answeredAt - sentAt);
        created.push(createdAt - sentAt);
        started.push(startedAt - sentAt);
      }
      await load.send([{ method: 'DELETE', path: `/api/issues/${id}`, cookie }], 1);
      await pause(QUIET_MS);
    }
    stream.close();
  }
  const commits = fork(new URL('../../db/bench/bare-commits.ts', import.meta.url), [`${COMMITS}`], { execArgv: [] });
  const commitMs = 1_000 / (await nextMessage<number>(commits));
  process.stdout.write(
    `${mode}, ${started.length} issues: POST to its answer ${told(answered)}, to issue.created ${told(created)}, ` +
      `to stage.started ${told(started)} and ${median(cpu).toFixed(1)} ms of the service's CPU, which is ` +
      `${(median(started) / commitMs).toFixed(1)} × a bare commit of ${commitMs.toFixed(2)} ms\n` +
      `load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
}

async function file(load: HttpLoad, { cookie, repoId }: { cookie: string; repoId: RepoId }): Promise<string> {
  const json = { repo_id: repoId, title: 'Sum of nothing', body: 'sum() throws. It has to give 0.' };
  const { bodies } = await load.send([{ method: 'POST', path: '/api/issues', cookie, json }], 1);
  return JSON.parse(bodies[0] ?? '').id;
}

/** An open stream of all issues of a user. */
async function openStream(port: number, cookie: string) {
  const awaited = new Map<string, (at: number) => void>();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Cookie: cookie, Accept: 'text/event-stream' };
    get({ host: '127.0.0.1', port, path: '/api/events', agent: false, headers }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`The stream was answered by ${answer.statusCode}.`);
  const next = (type: string) => new Promise<number>((resolve) => void awaited.set(type, resolve));
  let rest = '';
  const opened = next('stream.opened');
  answer.setEncoding('utf8').on('data', (text: string) => {
    const at = performance.now();
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const type = /^event: ?(.+)$/.exec(line)?.[1] ?? '';
      awaited.get(type)?.(at);
      awaited.delete(type);
    }
  });
  await opened;
  return { next, close: () => answer.destroy() };
}

/** On a busy machine the 10th percentile is nearest to what a quiet one gives. */
function told(ms: readonly number[]): string {
  const sorted = ms.toSorted((one, other) => one - other);
  const [p10 = 0, p50 = 0, p99 = 0] = [0.1, 0.5, 0.99].map((part) => sorted[Math.floor(ms.length * part)]);
  return `p10 ${p10.toFixed(1)}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
}
