import type { AuditAct, NewAuditEntry } from '@sluice/core';
import type { Actor } from '../procedure/request-context.ts';

/** The audit entry of what a user does in his own account. */
export function ownEntry({ user, session }: Actor, act: AuditAct): NewAuditEntry {
  return { userId: user.id, actor: { kind: 'user', sessionId: session.id }, act };
}
