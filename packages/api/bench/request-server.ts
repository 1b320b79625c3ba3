import type { RepoId, UserId } from '@sluice/core/id';
import { aNewIssue, aNewRepo, aNewUser, newId } from '@sluice/testing';
import { type Opened, openStores } from './open-stores.ts';
import { serveApi } from './serve-api.ts';
import { serveExpress, serveTrpc } from './serve-bare.ts';

/** The limit of issues that a user may create in an hour. */
const CREATIONS = 10;
const LISTED = 200;

/** The load: one cookie reads, and each of the others creates ten issues in separate repositories. */
export interface Served {
  readonly port: number;
  readonly reader: string;
  readonly writers: readonly { readonly cookie: string; readonly repoIds: readonly string[] }[];
}

/** Answers `cpu` with what this process has used so far, in microseconds. */
async function serve(kind: string, creations: number): Promise<Served> {
  const opened = await openStores();
  const reader = await aUser(opened);
  for (let made = 0; made < LISTED; made += 1) {
    const [repoId] = await repos(opened, reader, 1);
    const issue = aNewIssue({ userId: reader, repoId: repoId as RepoId, labels: ['bug', 'sum'] });
    await opened.stores.issues.create(issue, { queue: false });
  }
  if (kind === 'api') {
    const { port, login } = await serveApi(opened);
    const writers = [];
    for (let left = creations; left > 0; left -= CREATIONS) {
      const userId = await aUser(opened);
      writers.push({ cookie: await login(userId), repoIds: await repos(opened, userId, CREATIONS) });
    }
    return { port, reader: await login(reader), writers };
  }
  const port = await (kind === 'express' ? serveExpress : serveTrpc)(opened, reader);
  return { port, reader: '', writers: [{ cookie: '', repoIds: await repos(opened, reader, creations) }] };
}

async function aUser({ stores }: Opened): Promise<UserId> {
  const user = aNewUser({ id: newId<UserId>() });
  await stores.users.create(user);
  return user.id;
}

async function repos({ stores }: Opened, userId: UserId, count: number): Promise<RepoId[]> {
  const ids: RepoId[] = [];
  for (let made = 0; made < count; made += 1) {
    const repo = aNewRepo({ userId });
    await stores.repos.create(repo);
    ids.push(repo.id);
  }
  return ids;
}

const [kind = '', creations = '0'] = process.argv.slice(2);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit());
process.send?.(await serve(kind, Number(creations)));
