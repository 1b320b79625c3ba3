import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { AttachmentId, Ids, UserId } from '../id/id.ts';
import {
  type Attachment,
  type AttachmentType,
  attachmentTypes,
  isPictureType,
  MAX_ATTACHMENT_BYTES,
  MAX_UNUSED_ATTACHMENTS,
} from './attachment.ts';
import type { AttachmentStore, NewAttachment } from './attachment-store.ts';
import type { PictureCodec } from './picture-codec.ts';

interface AddAttachmentRequest {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
  /** `service` for what it fetches by itself. */
  readonly by: Initiator | 'service';
  /** Whose it is. */
  readonly userId: UserId;
  readonly signal: AbortSignal;
}

/**
 * Stores a picture or a text of a user, for an issue to come. Of a picture only what the codec has drawn is stored.
 *
 * @throws AppError `attachment_type_unsupported`, `attachment_too_large`, `attachment_unreadable`, `pictures_unavailable`,
 * `attachments_full`, `account_disabled`
 */
export async function addAttachment(
  context: { readonly attachments: Pick<AttachmentStore, 'put'>; readonly pictures: PictureCodec; readonly ids: Ids },
  { name, mediaType, content, by, userId, signal }: AddAttachmentRequest,
): Promise<Attachment> {
  if (!isAttachmentType(mediaType)) throw new AppError('attachment_type_unsupported');
  if (content.byteLength > MAX_ATTACHMENT_BYTES) {
    throw new AppError('attachment_too_large', {
      detail: `The file has ${content.byteLength} bytes, and at most ${MAX_ATTACHMENT_BYTES} can be attached.`,
    });
  }
  const stored = await readable(context, { content, mediaType, signal });
  const id = context.ids.next() as AttachmentId;
  const audit = auditEntry(by, {
    action: 'attachment.uploaded',
    subjectId: id,
    detail: { media_type: stored.mediaType, bytes: stored.content.byteLength },
  });
  const outcome = await context.attachments.put({ id, userId, name, ...stored }, audit);
  if (outcome.kind === 'disabled') throw new AppError('account_disabled');
  if (outcome.kind === 'full') {
    throw new AppError('attachments_full', {
      detail: `You have ${MAX_UNUSED_ATTACHMENTS} attachments that no issue has used, which is the limit.`,
    });
  }
  return outcome.attachment;
}

/** What is stored of a file. */
async function readable(
  { pictures }: { readonly pictures: PictureCodec },
  file: { readonly content: Uint8Array; readonly mediaType: AttachmentType; readonly signal: AbortSignal },
): Promise<Pick<NewAttachment, 'content' | 'mediaType' | 'width' | 'height'>> {
  const { content, mediaType, signal } = file;
  if (isPictureType(mediaType)) return await pictures.draw({ content, mediaType, signal });
  if (content.byteLength === 0 || !isText(content)) {
    throw new AppError('attachment_unreadable', { detail: 'The file is empty, or is no text in UTF-8.' });
  }
  return { content, mediaType, width: null, height: null };
}

function isAttachmentType(type: string): type is AttachmentType {
  return (attachmentTypes as readonly string[]).includes(type);
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
