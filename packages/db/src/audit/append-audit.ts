import { auditCatalog, type InstallationAct, type NewAuditEntry } from '@sluice/core';
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
 * @throws ZodError for a detail that does not match the catalogue, which is a bug in the caller
 */
export function appendAudit(write: Write, entry: NewAuditEntry | undefined): void {
  if (entry === undefined) return;
  const { userId, actor, act } = entry;
  const row: Row = {
    userId,
    actor: actor.kind,
    sessionId: actor.kind === 'user' ? actor.sessionId : null,
    action: act.action,
    subjectId: act.subjectId,
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
    action: act.action,
    subjectId: null,
    detail: auditCatalog[act.action].parse(act.detail),
    at: write.now,
  };
  write.atEnd(() => insertEntries(write, [row]));
}
