import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { AttachmentId, IssueId, UserId } from '../id/id.ts';
import type { Attachment } from './attachment.ts';

export interface NewAttachment extends Omit<Attachment, 'bytes' | 'issueId' | 'createdAt'> {
  readonly content: Uint8Array;
}

type PutAttachmentOutcome =
  | { readonly kind: 'stored'; readonly attachment: Attachment }
  /** The user has `MAX_UNUSED_ATTACHMENTS` that no issue has used. */
  | { readonly kind: 'full' }
  /** The user is disabled or does not exist. */
  | { readonly kind: 'disabled' };

/**
 * The pictures and texts of issues. An issue takes them over in the write that names them (`IssueStore.create`, `addNote` and
 * `apply`); what none has taken over within `UNUSED_MS` cannot be found any more.
 */
export interface AttachmentStore {
  put(attachment: NewAttachment, audit?: NewAuditEntry): Promise<PutAttachmentOutcome>;
  /** Null for one that has expired, or whose issue was removed. */
  find(id: AttachmentId): Promise<Attachment | null>;
  /** In the order of their uploads. */
  ofIssue(issueId: IssueId): Promise<readonly Attachment[]>;
  content(id: AttachmentId): Promise<Uint8Array | null>;
  /** The bytes of all that a user has uploaded and that is still stored. */
  bytesOf(userId: UserId): Promise<number>;
}
