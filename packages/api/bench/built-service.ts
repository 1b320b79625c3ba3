import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RepoId, SessionId, UserId } from '@sluice/core/id';
import { openSqlite, type Stores } from '@sluice/db';
import { aGate, aNewIssue, aNewRepo, aNewUser, aPlan, builtProgram, newId } from '@sluice/testing';
import { createPasswords } from '../src/identity/login/passwords.ts';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import { clock } from './open-stores.ts';

export const SESSION_SECRET = 'a secret of the benchmark, which nobody has to keep';
const TTL_MS = 86_400_000;
const LISTED = 200;
/** The limit of issues that a user may create in an hour. */
export const CREATIONS = 10;
export const PASSWORD = 'correct horse battery';

/** A user who may create ten issues, each in a repository of its own. */
interface Writer {
  readonly cookie: string;
  readonly repoIds: readonly RepoId[];
}

export interface Filled {
  readonly dataDir: string;
  readonly email: string;
  /** The cookie of a user with 200 issues. */
  readonly reader: string;
  readonly writers: readonly Writer[];
}

/** A data folder with users, on a disk. Its only slot is held by an issue at a gate, so that no pipeline starts. */
export async function fillDataFolder(writerCount: number): Promise<Filled> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  await using stores = await openSqlite({ dataDir, clock, maxActivePipelines: 1 });
  const { repos, issues, runs } = stores;
  const passwordHash = await createPasswords().hash(PASSWORD);
  const addUser = () => addSignedIn(stores, passwordHash);
  const addRepo = async (userId: UserId) => {
    const repo = aNewRepo({ userId });
    await repos.create(repo);
    return repo.id;
  };

  const reader = await addUser();
  const atGate = aNewIssue({ userId: reader.id, repoId: await addRepo(reader.id) });
  await issues.create(atGate, { queue: true });
  const claim = await runs.claim(atGate.id, { owner: 'bench', ttlMs: 60_000 });
  if (claim === null) throw new Error('The issue did not get the slot.');
  await issues.apply({
    issueId: atGate.id,
    from: { status: 'running' },
    trigger: 'plan_completed',
    lease: claim.lease,
    set: { stage: 'human_review', gate: aGate(), pipeline: claim.issue.pipeline },
    plan: aPlan(),
    events: [],
  });
  for (let made = 1; made < LISTED; made += 1) {
    const repoId = await addRepo(reader.id);
    await issues.create(aNewIssue({ userId: reader.id, repoId, labels: ['bug', 'sum'] }), { queue: false });
  }
  const writers: Writer[] = [];
  for (let made = 0; made < writerCount; made += 1) {
    const { id, cookie } = await addUser();
    const repoIds: RepoId[] = [];
    for (let added = 0; added < CREATIONS; added += 1) repoIds.push(await addRepo(id));
    writers.push({ cookie, repoIds });
  }
  return { dataDir, email: reader.email, reader: reader.cookie, writers };
}

/** Adds a user with a session. */
export async function addSignedIn({ users, sessions }: Pick<Stores, 'users' | 'sessions'>, passwordHash?: string) {
  const tokens = createSessionTokens({ clock }, Buffer.from(SESSION_SECRET));
  const user = aNewUser({ id: newId<UserId>(), ...(passwordHash !== undefined && { passwordHash }) });
  await users.create(user);
  const expiresAt = new Date(Date.now() + TTL_MS);
  const session = await sessions.create({ id: newId<SessionId>(), userId: user.id, expiresAt });
  if (session === null) throw new Error('The session was not given.');
  return { id: user.id, email: `${user.email}`, cookie: `access_token=${await tokens.sign(session)}` };
}

/** A copy of a data folder that no process has open. */
export function copyOf(dataDir: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** Starts the built server on a data folder: embedded and with one slot, unless `env` says otherwise. */
export async function startBuilt(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const program = await builtProgram('server');
  const child = spawn(process.execPath, [program], {
    cwd: dataDir,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin', // git
      HOME: dataDir,
      DATA_DIR: dataDir,
      PORT: '0',
      SESSION_SECRET,
      MAX_ACTIVE_PIPELINES: '1',
      TRUST_PROXY: 'loopback', // so that each login can come from an address of its own
      ...env,
    },
    stdio: ['ignore', 'pipe', openSync(join(dataDir, 'process.log'), 'a')],
  });
  if (child.stdout === null) throw new Error('The server has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Sluice listens on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { child, pid: Number(child.pid), port: Number(new URL(url).port) };
  }
  throw new Error(`The server ended before it listened, see ${dataDir}/process.log.`);
}
