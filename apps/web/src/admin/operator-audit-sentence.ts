import { visibleText } from '../format/visible-text.ts';
import type { client } from '../session/client.ts';
import { type AuditAction, quoted, sentences, THEY } from '../settings/audit-sentence.ts';

export type OperatorAuditEntry = Awaited<ReturnType<typeof client.admin.audit.query>>['items'][number];
export type OperatorAuditAction = OperatorAuditEntry['action'];
type Detail = OperatorAuditEntry['detail'];

const installationSentences: Readonly<Record<Exclude<OperatorAuditAction, AuditAction>, (detail: Detail) => string>> = {
  'installation.keys_rotated': ({ key }) => `encrypted the stored tokens with the key ${quoted(key)}`,
  'installation.codehost_moved': ({ from, to }) =>
    `changed the address of the code host from ${quoted(from)} to ${quoted(to)}`,
  'installation.codehost_forgotten': () => 'unlinked every account at the code host',
  'installation.audit_acknowledged': ({ found, known }) =>
    `went on with the audit log from seal ${Number(found)}, though seal ${Number(known)} had been made`,
  'installation.restored': ({ backup_of: at, by_version: version }) =>
    `restored the backup of ${visibleText(String(at))} with version ${visibleText(String(version))}`,
};

const all: Readonly<Record<OperatorAuditAction, (detail: Detail, whom: typeof THEY) => string>> = {
  ...sentences,
  ...installationSentences,
};
/** All actions, in the order in which they are offered. */
export const auditActions = Object.keys(all) as OperatorAuditAction[];

/** Who acted: the id of a user, or a name for an actor without one. */
export function actingUser({ actor, user_id, detail }: OperatorAuditEntry): { readonly id: string } | string {
  if (actor === 'service') return 'Sluice';
  if (actor === 'user') return user_id === null ? 'A user' : { id: user_id };
  return typeof detail.by === 'string' ? { id: detail.by } : 'The operator of the machine';
}

/** The act in words, after the name of the actor. */
export function operatorAuditSentence({ action, detail }: Pick<OperatorAuditEntry, 'action' | 'detail'>): string {
  // A newer server may know actions that this page does not.
  const what = all[action] as (typeof all)[OperatorAuditAction] | undefined;
  return `${what?.(detail, THEY) ?? `did: ${visibleText(action)}`}.`;
}
