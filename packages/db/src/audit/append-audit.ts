import { auditCatalog, type InstallationAct, type NewAuditEntry } from '@sluice/core';
import type { Write } from '../store/store-context.ts';

/**
 * Writes the audit entry of this transaction, if it has one.
 *
 * @throws ZodError for a detail that does not match the catalogue, which is a bug in the caller
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

/** Writes the audit entry of an act on the installation, which only operators perform. */
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
