import type { Heir, HeirRules } from '@sluice/core/deletion';
import { isLocalAddress, type Repo } from '@sluice/core/repo';
import { and, asc, eq, exists, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { Handle } from '../store/prepared.ts';

/**
 * The other admin to whom a repository can be handed over: of those who have what it takes to be its registrant, the one who has
 * been a member for the longest time. At the code host it takes a linked account; for a folder of the host, the right to
 * register folders; and nobody can register the same remote twice.
 */
export async function findHeir(
  { context, db }: Handle,
  repo: Pick<Repo, 'id' | 'url' | 'canonicalRemote' | 'provider'>,
  { foldersFor }: HeirRules,
): Promise<Heir | null> {
  const { users, repos, repoMembers: members, codehostGrants: grants } = context.database.tables;
  const one = { one: sql`1` };
  const sameRemote = db
    .select(one)
    .from(repos)
    .where(and(eq(repos.userId, users.id), eq(repos.canonicalRemote, repo.canonicalRemote)));
  const usableGrant = db
    .select(one)
    .from(grants)
    .where(and(eq(grants.userId, users.id), isNotNull(grants.tokenEncrypted), eq(grants.refused, false)));
  const isFolder = isLocalAddress(repo.url);
  const [heir] = await db
    .select({ userId: users.id, name: users.name, email: users.email, codehostLogin: users.codehostLogin })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.repoId, repo.id),
        eq(members.role, 'admin'),
        isNull(users.disabledAt),
        notExists(sameRemote),
        repo.provider === 'codehost' ? exists(usableGrant) : undefined,
        isFolder && foldersFor === 'operators' ? eq(users.isOperator, true) : undefined,
      ),
    )
    .orderBy(asc(members.createdAt), asc(members.userId))
    .limit(1);
  return heir ?? null;
}
