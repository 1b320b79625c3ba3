import { auditCatalog, type InstallationAct, type NewAuditEntry } from '@sluice/core';
import type { Write } from '../store/store-context.ts';

/**
 * Writes down who does what this transaction does, if anybody does.
 *
 * @throws ZodError for a detail that is not what the catalogue says: a bug of whoever made the entry
 */
export async function appendAudit(write: Write, entry: NewAuditEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const { userId, actor, act } = entry;
  await write.db.insert(write.context.database.tables.auditEntries).values({
    userId,
    actor: actor.kind,
    sessionId: actor.kind === 'user' ? actor.sessionId : null,
    action: act.action,
    subjectId: act.subjectId,
    detail: auditCatalog[act.action].parse(act.detail),
    at: write.now,
  });
}

/** The same of what this transaction does to the installation. Nobody but the operator does that. */
export async function appendInstallationAudit(write: Write, act: InstallationAct | undefined): Promise<void> {
  if (act === undefined) return;
  await write.db.insert(write.context.database.tables.auditEntries).values({
    userId: null,
    actor: 'operator',
    sessionId: null,
    action: act.action,
    subjectId: null,
    detail: auditCatalog[act.action].parse(act.detail),
    at: write.now,
  });
}
