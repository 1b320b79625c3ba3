import { type Authorized, asAuthorized } from '../access/authorized.ts';
import type { Caller, RoleReader } from '../access/caller.ts';
import { AppError } from '../error/app-error.ts';
import { type AttachmentId, isId } from '../id/id.ts';
import { authorizeIssue } from '../issue/authorize-issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import type { Attachment } from './attachment.ts';
import type { AttachmentStore } from './attachment-store.ts';

interface AuthorizeAttachmentContext {
  readonly attachments: Pick<AttachmentStore, 'find'>;
  readonly issues: Pick<IssueStore, 'get'>;
  readonly members: RoleReader;
  readonly caller: Caller;
}

/**
 * The attachment, if the caller may read its issue; one that no issue has used, if they have uploaded it.
 *
 * @throws AppError `attachment_not_found`, also for one of others that no issue has used; what `authorizeIssue` throws
 */
export async function authorizeAttachment(
  context: AuthorizeAttachmentContext,
  id: string,
): Promise<Authorized<Attachment, 'read'>> {
  const attachment = isId(id) ? await context.attachments.find(id as AttachmentId) : null;
  if (attachment === null) throw new AppError('attachment_not_found');
  const { issueId, userId } = attachment;
  if (issueId === null) {
    if (userId !== context.caller.userId) throw new AppError('attachment_not_found');
  } else await authorizeIssue(context, issueId, 'read');
  return asAuthorized(attachment);
}
