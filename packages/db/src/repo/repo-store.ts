import { hostedNameAt } from '@sluice/core/code-host';
import type { RepoId } from '@sluice/core/id';
import {
  type HostedPlace,
  type RelocateOutcome,
  type Repo,
  type RepoSettings,
  type RepoSettingsPatch,
  type RepoStore,
  renamedAddress,
} from '@sluice/core/repo';
import { and, asc, desc, eq, inArray, isNull, lt, ne } from 'drizzle-orm';
import { holdRepo, holdRepoIfThere } from '../access/hold-repo.ts';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { isHolderOf, otherHolder } from '../issue/active-remote.ts';
import { readApprovalRules } from '../issue/approvals.ts';
import { markMembers } from '../member/mark-mirrored.ts';
import { storeResponse } from '../request/store-response.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { refuseDisabled } from '../user/hold-user.ts';
import { listAllRepos } from './list-all-repos.ts';
import { beginPolls } from './polls.ts';
import { readRepo, selectRepos, toRepo } from './read-repo.ts';
import { removeRepo } from './remove-repo.ts';

interface Listed extends Readable {
  readonly before: number | null;
  readonly rows: number;
}

const selectPage = preparedShapes((on, given: Given<Listed>, shape: ReadableShape & { isLater: boolean }) => {
  const { tables } = on.context.database;
  const { id, removedAt, ordinal } = tables.repos;
  const { isLater } = shape;
  return selectRepos(on.db, tables)
    .where(
      and(
        inArray(id, readableRepos(on, given, shape)),
        isNull(removedAt),
        isLater ? lt(ordinal, given('before', ordinal)) : undefined,
      ),
    )
    .orderBy(desc(ordinal))
    .limit(given('rows'));
});

/** Registered repositories. */
export function createRepoStore(context: StoreContext): RepoStore {
  const { database } = context;
  const { read, tables } = database;
  const { repos } = tables;

  return {
    create: (repo, { audit, response } = {}) =>
      write(context, async (write) => {
        const { db, now } = write;
        if (repo.codehostRepoId !== null) await database.lockDispatch(db);
        await refuseDisabled(write, repo.userId);
        const written = await db
          .insert(repos)
          .values({ ...repo, createdAt: now, updatedAt: now })
          .onConflictDoNothing({ target: [repos.userId, repos.canonicalRemote] })
          .returning({ id: repos.id });
        const [found] = await selectRepos(db, tables).where(
          and(eq(repos.userId, repo.userId), eq(repos.canonicalRemote, repo.canonicalRemote)),
        );
        if (found === undefined) throw new Error('A repository vanished in the middle of its own transaction.');
        if (written.length === 0) return { kind: 'exists', repoId: found.row.id };
        await beginPolls(write, repo);
        if (repo.settings.mirror_members) await markMembers(write, repo);
        await appendAudit(write, audit);
        const created = toRepo(found);
        await storeResponse(write, created, response);
        return { kind: 'created', repo: created };
      }),

    get: (id) => readRepo({ context, db: read }, id),
    approvalRules: (id) => readApprovalRules({ context, db: read }, id),

    list: async (caller, { limit, cursor }) => {
      const before = parseCursor('repos', cursor);
      const reading = { context, db: read };
      const { shape, values } = readableBy(caller);
      const listed = { ...values, before, rows: limit + 1 };
      const rows = await selectPage(reading, { ...shape, isLater: before !== null }, listed);
      const numbered = rows.map((row) => ({ ...row, ordinal: row.row.ordinal }));
      return pageOf(numbered, { limit, cursor, list: 'repos' }, toRepo);
    },

    listAll: (page) => listAllRepos({ context, db: read }, page),

    update: (id, patch, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        const { name, defaultBranch, setupCommand, testCommand, instructions, accessToken } = patch;
        const settings = patch.settings && (await mergedSettings(write, id, patch.settings));
        await db
          .update(repos)
          // Undefined members stay as they are.
          .set({ name, defaultBranch, setupCommand, testCommand, instructions, settings, accessToken, updatedAt: now })
          .where(and(eq(repos.id, id), isNull(repos.removedAt)));
        const updated = await readRepo(write, id);
        if (updated === null) return null;
        await appendAudit(write, audit?.(updated.name));
        if (settings !== undefined) await markMembers(write, updated);
        return updated;
      }),

    relocate: (id, fullName) => relocateRepo(context, id, fullName),

    remove: (id, audit) =>
      write(context, async (write) => {
        const { db } = write;
        await database.lockDispatch(db);
        const repo = await readRepo(write, id);
        if (repo === null) return 'absent';
        await holdRepo(write, id); // see `insertIssue`
        if (repo.activeIssueId !== null) return 'active';
        await appendAudit(write, audit?.(repo.name)); // before it has no members any more
        await removeRepo(write, repo);
        return 'removed';
      }),
  };
}

/** The settings with those that change. Read under a lock: of two admins who change others at once, both must have their way. */
async function mergedSettings(write: Write, id: RepoId, change: RepoSettingsPatch): Promise<RepoSettings | undefined> {
  await holdRepoIfThere(write, id);
  const settings = (await readRepo(write, id))?.settings;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return settings && { ...settings, ...given };
}

/**
 * `RepoStore.relocate`. All registrations of a repository move together, so that no issue can start under the old
 * address while another runs under the new one.
 */
async function relocateRepo(context: StoreContext, id: Repo['id'], to: HostedPlace): Promise<RelocateOutcome> {
  const { database } = context;
  const { repos } = database.tables;
  return await write(context, async (write) => {
    await database.lockDispatch(write.db);
    const row = await readRepo(write, id);
    if (row === null) return { kind: 'absent' };
    const all =
      row.codehostRepoId === null
        ? [row]
        : (
            await selectRepos(write.db, database.tables)
              .where(and(eq(repos.codehostRepoId, row.codehostRepoId), eq(repos.provider, 'codehost')))
              .orderBy(asc(repos.ordinal))
          ).map(toRepo);
    let outcome: RelocateOutcome = { kind: 'absent' };
    for (const repo of all) {
      const moved = await move(write, repo, to);
      if (repo.id === id) outcome = moved;
    }
    return outcome;
  });
}

async function move(write: Write, repo: Repo, to: HostedPlace): Promise<RelocateOutcome> {
  const { context, db, now } = write;
  const { repos, issues } = context.database.tables;
  const name = hostedNameAt(to.host, repo.url);
  if (name === null) return { kind: 'absent' }; // it would become another repository
  const place = renamedAddress(repo, to.name);
  if (place.url === repo.url) return { kind: 'relocated', repo };
  const [taken] = await db
    .select({ id: repos.id })
    .from(repos)
    .where(and(eq(repos.userId, repo.userId), eq(repos.canonicalRemote, place.canonicalRemote), ne(repos.id, repo.id)));
  if (taken !== undefined) return { kind: 'taken', repoId: taken.id };
  const holder = await otherHolder(write, repo.id, place.canonicalRemote);
  if (holder !== null) return { kind: 'busy', holder };
  await db
    .update(repos)
    .set({ ...place, updatedAt: now, ...(repo.name === name && { name: to.name }) })
    .where(eq(repos.id, repo.id));
  await db
    .update(issues)
    .set({ activeRemote: place.canonicalRemote })
    .where(isHolderOf(context.database.tables, repo.id));
  const relocated = await readRepo(write, repo.id);
  return relocated === null ? { kind: 'absent' } : { kind: 'relocated', repo: relocated };
}
