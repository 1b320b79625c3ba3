import { limitedRole } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import { MAX_MEMBERS, type Member, type MemberStore } from '@sluice/core/member';
import { and, asc, count, eq, inArray, isNull } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import { readRole } from '../access/role-of.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { approversAmong } from '../issue/approvals.ts';
import type { Db } from '../schema/kit.ts';
import { type Given, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { deleteMember } from './delete-member.ts';
import { mirrorMembers } from './mirror-members.ts';

const selectRoles = preparedShapes((on, given: Given<Readable>, shape: ReadableShape) => {
  const { repos, repoMembers: members } = on.context.database.tables;
  return on.db
    .select({ id: repos.id, registrant: repos.userId, role: members.role })
    .from(repos)
    .leftJoin(members, and(eq(members.repoId, repos.id), eq(members.userId, given('reader', members.userId))))
    .where(inArray(repos.id, readableRepos(on, given, shape)));
});

/** Members of repositories and their roles. */
export function createMemberStore(context: StoreContext): MemberStore {
  const { read, tables } = context.database;
  const { repos, repoMembers: members, users } = tables;
  const isIt = (repoId: RepoId, userId: UserId) => and(eq(members.repoId, repoId), eq(members.userId, userId));
  const shown = {
    userId: users.id,
    name: users.name,
    email: users.email,
    codehostLogin: users.codehostLogin,
  };
  const joined = (db: Db) =>
    db
      .select({ ...shown, role: members.role, origin: members.origin, since: members.createdAt })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId));
  return {
    role: (repoId, userId) => readRole({ context, db: read }, repoId, userId),
    approversAmong: (repoId, userIds) => approversAmong({ context, db: read }, repoId, userIds),

    rolesOf: async (caller) => {
      const { values, shape } = readableBy(caller);
      const rows = await selectRoles({ context, db: read }, shape, values);
      return new Map(
        rows.map(({ id, registrant, role }) => {
          const own = registrant === caller.userId || role === null ? 'admin' : role;
          return [id, limitedRole(own, caller.limits)];
        }),
      );
    },

    list: async (repoId) => {
      const [registrant] = await read
        .select({ ...shown, since: repos.createdAt })
        .from(repos)
        .innerJoin(users, eq(users.id, repos.userId))
        .where(and(eq(repos.id, repoId), isNull(repos.removedAt)));
      if (registrant === undefined) return [];
      const others = await joined(read)
        .where(eq(members.repoId, repoId))
        .orderBy(asc(members.createdAt), asc(members.userId));
      return [{ ...registrant, role: 'admin', origin: null }, ...others];
    },

    put: (member, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        const { repoId, userId, role, origin } = member;
        const user = await holdUser(write, userId); // before the repository, as a new issue does
        if ((await holdRepo(write, repoId)) === userId) return { kind: 'registrant' };
        if (user === null) return { kind: 'absent' };
        const [total] = await db.select({ total: count() }).from(members).where(eq(members.repoId, repoId));
        const [there] = await db.select({ role: members.role }).from(members).where(isIt(repoId, userId));
        if (there === undefined && (total?.total ?? 0) >= MAX_MEMBERS) return { kind: 'full' };
        await appendAudit(write, audit);
        await db
          .insert(members)
          .values({ ...member, createdAt: now, updatedAt: now })
          .onConflictDoUpdate({
            target: [members.repoId, members.userId],
            set: { role, origin, updatedAt: now },
          });
        const [row]: Member[] = await joined(db).where(isIt(repoId, userId));
        if (row === undefined) throw new Error('A member vanished in the middle of their own transaction.');
        return { kind: 'put', member: row };
      }),

    remove: (repoId, userId, audit) =>
      write(context, async (write) => {
        const { db } = write;
        await holdRepo(write, repoId);
        const [there] = await db.select({ origin: members.origin }).from(members).where(isIt(repoId, userId));
        if (there === undefined) return 'absent';
        if (there.origin === 'mirrored') return 'mirrored';
        await appendAudit(write, audit); // before, because they may remove themselves
        await deleteMember(write, repoId, userId);
        return 'removed';
      }),

    mirror: (mirrored) => write(context, (write) => mirrorMembers(write, mirrored)),
  };
}
