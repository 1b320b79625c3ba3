import { auditCatalog, type InstallationAct, type NewAuditEntry } from '@sluice/core/audit';
import type { RepoId } from '@sluice/core/id';
import { requireToken } from '../access/require-token.ts';
import { requireRole } from '../access/role-of.ts';
import type { Tables } from '../schema/schema.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { Write } from '../store/store-context.ts';

type Row = Tables['auditEntries']['$inferInsert'];

const insertEntries = preparedInsert(
  ({ auditEntries }) => auditEntries,
  ({ context, db }, rows: Row[]) => db.insert(context.database.tables.auditEntries).values(rows),
);

/**
 * Writes the audit entry of this transaction, if it has one.
 *
 * @throws AppError `not_owner`, `role_insufficient` when its user has lost the role that the act needs; `token_invalid`,
 * `token_scope_insufficient` when their token has ended or does not reach as far; ZodError for a detail that does not match
 * the catalogue, which is a bug in the caller
 */
export async function appendAudit(write: Write, entry: NewAuditEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const { userId, actor, act, needs } = entry;
  const used = actor.kind === 'service' ? null : actor;
  const tokenId = used?.tokenId ?? null;
  if (tokenId !== null) await requireToken(write, tokenId, needs);
  // What the service does on a decision of theirs ends with their role too. An operator needs none.
  if (needs !== undefined && actor.kind !== 'operator') await requireRole(write, userId, needs);
  const row: Row = {
    userId,
    actor: actor.kind,
    sessionId: used?.sessionId ?? null,
    tokenId,
    action: act.action,
    subjectId: act.subjectId,
    repoId: needs?.repoId ?? entry.repoId ?? (act.action.startsWith('repo.') ? (act.subjectId as RepoId | null) : null),
    detail: auditCatalog[act.action].parse(act.detail),
    at: write.now,
  };
  write.atEnd(() => insertEntries(write, [row]));
}

/** Writes the audit entry of an act on the installation, which only operators perform. */
export function appendInstallationAudit(write: Write, act: InstallationAct | undefined): void {
  if (act === undefined) return;
  const row: Row = {
    userId: null,
    actor: 'operator',
    sessionId: null,
    tokenId: null,
    action: act.action,
    subjectId: null,
    repoId: null,
    detail: auditCatalog[act.action].parse(act.detail),
    at: write.now,
  };
  write.atEnd(() => insertEntries(write, [row]));
}
