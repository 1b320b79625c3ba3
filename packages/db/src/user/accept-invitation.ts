import { includesRole, type Role } from '@sluice/core/access';
import type { InvitationId, RepoId, UserId } from '@sluice/core/id';
import { MAX_MEMBERS } from '@sluice/core/member';
import { and, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { holdRepoIfThere } from '../access/hold-repo.ts';
import { readRole } from '../access/role-of.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { Write } from '../store/store-context.ts';

type Found = Given<{ tokenHash: string; emailKey: string; now: Date }>;

/** Whether it is this one, for this e-mail, and waits to be used. */
function isUsable({ context }: Handle, given: Found) {
  const { tokenHash, emailKey, expiresAt, usedAt } = context.database.tables.invitations;
  const isIt = and(eq(tokenHash, given('tokenHash', tokenHash)), eq(emailKey, given('emailKey', emailKey)));
  return and(isIt, gt(expiresAt, given('now', expiresAt)), isNull(usedAt));
}

const selectUsable = prepared((on, given: Found) => {
  const { invitations } = on.context.database.tables;
  return on.db.select().from(invitations).where(isUsable(on, given));
});

/** Locks it to the end of the transaction, so that it is used once. */
const hold = prepared((on, given: Found) => {
  const { invitations } = on.context.database.tables;
  return on.db
    .update(invitations)
    .set({ createdAt: sql`${invitations.createdAt}` })
    .where(isUsable(on, given))
    .returning({ id: invitations.id });
});

const useUp = prepared(({ context, db }, given: Given<{ id: InvitationId; now: Date; usedBy: UserId }>) => {
  const { invitations } = context.database.tables;
  const { id, usedAt, usedBy } = invitations;
  return db
    .update(invitations)
    .set({ usedAt: given('now', usedAt), usedBy: given('usedBy', usedBy) })
    .where(eq(id, given('id', id)))
    .returning({ id });
});

const selectInviter = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ isOperator: users.isOperator, disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

const countMembers = prepared(({ context, db }, given: Given<{ repoId: RepoId }>) => {
  const { repoMembers: members } = context.database.tables;
  return db
    .select({ total: count() })
    .from(members)
    .where(eq(members.repoId, given('repoId', members.repoId)));
});

/** An invitation that may be used in this transaction. */
export interface AcceptedInvitation {
  /** Uses it up and writes the membership and the audit entries, once the account is there. */
  finish(): Promise<void>;
}

interface Acceptance {
  readonly userId: UserId;
  readonly tokenHash: string;
  readonly emailKey: string;
  readonly onlyOperatorsInvite: boolean;
}

/**
 * Accepts an invitation for a new account. The person who invited must still be allowed to: an operator, or an admin of the
 * repository if admins may invite.
 *
 * @returns null when it is void. Nothing is written yet
 */
export async function acceptInvitation(write: Write, acceptance: Acceptance): Promise<AcceptedInvitation | null> {
  const { userId, tokenHash, emailKey, onlyOperatorsInvite } = acceptance;
  const which = { tokenHash, emailKey, now: write.now };
  const [invitation] = await selectUsable(write, which);
  if (invitation === undefined) return null;
  const { id, userId: inviter, repoId, role } = invitation;
  const [by] = await selectInviter(write, { id: inviter });
  if (by === undefined || by.disabledAt !== null) return null;
  if (onlyOperatorsInvite && !by.isOperator) return null;
  const into = repoId === null || role === null ? null : { repoId, role };
  // The repository first: its deletion deletes its invitations.
  if (into === null ? !by.isOperator : !(await mayAdd(write, into.repoId, inviter))) return null;
  if ((await hold(write, which)).length === 0) return null;
  return {
    finish: async () => {
      await useUp(write, { id, now: write.now, usedBy: userId });
      const detail = { invited_by: inviter, repo_id: repoId, role };
      const actor = { kind: 'user', sessionId: null } as const;
      await appendAudit(write, { userId, actor, act: { action: 'invitation.accepted', subjectId: id, detail } });
      if (into !== null) await addMember(write, { ...into, userId, inviter });
    },
  };
}

async function mayAdd(write: Write, repoId: RepoId, inviter: UserId): Promise<boolean> {
  if ((await holdRepoIfThere(write, repoId)) === null) return false;
  const role = await readRole(write, repoId, inviter);
  if (role === null || !includesRole(role, 'admin')) return false;
  const [row] = await countMembers(write, { repoId });
  return (row?.total ?? 0) < MAX_MEMBERS;
}

interface NewMembership {
  readonly repoId: RepoId;
  readonly role: Role;
  readonly userId: UserId;
  readonly inviter: UserId;
}

const insertMembers = preparedInsert(
  ({ repoMembers }) => repoMembers,
  ({ context, db }, rows: Tables['repoMembers']['$inferInsert'][]) =>
    db.insert(context.database.tables.repoMembers).values(rows),
);

/** By the service, on what the inviter has decided before. */
async function addMember(write: Write, { repoId, role, userId, inviter }: NewMembership): Promise<void> {
  await appendAudit(write, {
    userId: inviter,
    actor: { kind: 'service' },
    act: { action: 'repo.member_put', subjectId: repoId, detail: { user_id: userId, role } },
    needs: { repoId, role: 'admin' },
  });
  const times = { createdAt: write.now, updatedAt: write.now };
  await insertMembers(write, [{ repoId, userId, role, origin: 'added', ...times }]);
}
