import * as z from 'zod';
import {
  type AuditEntry,
  type AuditedAction,
  auditCatalog,
  auditEntryWire,
  type InstallationEntry,
  toAuditEntryWire,
} from './audit-catalog.ts';
import type { Numbered } from './audit-entry.ts';

/** All actions, those on the installation among them. */
export const auditedActions = Object.keys(auditCatalog) as [AuditedAction, ...AuditedAction[]];

const { kind } = auditEntryWire.shape.subject.shape;

/** An entry of any account or of the installation, as operators see it. */
export const operatorAuditEntryWire = auditEntryWire.extend({
  ordinal: z
    .int()
    .describe('Its place in the log. Numbers may be missing: a write that was rolled back leaves one out.'),
  user_id: z.uuid().nullable().describe('Whose account it is; null: an act on the installation.'),
  repo_id: z.uuid().nullable().describe('The repository that it is about.'),
  action: z.enum(auditedActions),
  subject: z.object({
    kind: z.enum([...kind.options, 'installation']),
    id: z.uuid().nullable().describe('Null: the installation.'),
  }),
});
export type OperatorAuditEntryWire = z.infer<typeof operatorAuditEntryWire>;

export function toOperatorAuditEntryWire(entry: Numbered<AuditEntry | InstallationEntry>): OperatorAuditEntryWire {
  const { ordinal, repoId } = entry;
  const place = { ordinal, repo_id: repoId };
  if (entry.userId !== null) return { ...toAuditEntryWire(entry), ...usedBy(entry.actor), ...place };
  return {
    ...place,
    at: entry.at.toISOString(),
    user_id: null,
    actor: 'operator',
    session_id: null,
    token_id: null,
    action: entry.act.action,
    subject: { kind: 'installation', id: null },
    detail: entry.act.detail,
  };
}

/** The session or token of an actor. Operators see that of operators too; in the list of an account it is not shown. */
function usedBy(actor: AuditEntry['actor']): Pick<OperatorAuditEntryWire, 'session_id' | 'token_id'> {
  if (actor.kind === 'service') return { session_id: null, token_id: null };
  return { session_id: actor.sessionId ?? null, token_id: actor.tokenId ?? null };
}
