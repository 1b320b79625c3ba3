import * as z from 'zod';
import type { AttachmentId, IssueId, UserId } from '../id/id.ts';

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
const textTypes = ['text/plain', 'text/csv', 'application/json'] as const;
export const attachmentTypes = [...pictureTypes, ...textTypes] as const;

export type PictureType = (typeof pictureTypes)[number];
export type AttachmentType = (typeof attachmentTypes)[number];

const MIB = 1024 ** 2;

/** A screenshot of a large screen, or an hour of a log. In base64 it fits into a body of 14 MiB. */
export const MAX_ATTACHMENT_BYTES = 10 * MIB;
export const MAX_ISSUE_ATTACHMENTS = 20;
/** The unused ones of a user. As many as one issue may have. */
export const MAX_UNUSED_ATTACHMENTS = 20;
export const MAX_NAME_CHARACTERS = 200;
/** The time that a person has between an upload and the issue that names it. */
export const UNUSED_MS = 24 * 3_600_000;

/** A picture or a text of an issue, without its content. */
export interface Attachment {
  readonly id: AttachmentId;
  /** The user who uploaded it. */
  readonly userId: UserId;
  /** Null while no issue has used it. */
  readonly issueId: IssueId | null;
  readonly name: string;
  /** The type of what is stored, which may differ from that of what was sent. */
  readonly mediaType: AttachmentType;
  /** The size of what is stored. */
  readonly bytes: number;
  /** In pixels; null for a text. */
  readonly width: number | null;
  readonly height: number | null;
  readonly createdAt: Date;
}

export function isPictureType(type: string): type is PictureType {
  return (pictureTypes as readonly string[]).includes(type);
}

export const attachmentWire = z.object({
  id: z.uuid(),
  name: z.string(),
  media_type: z
    .enum(attachmentTypes)
    .describe('The type of what is stored: a picture is drawn again, perhaps in another format.'),
  bytes: z.int().min(0).describe('The size of what is stored.'),
  width: z.int().min(1).nullable().describe('In pixels; null for a text.'),
  height: z.int().min(1).nullable().describe('In pixels; null for a text.'),
  user_id: z.uuid().describe('The user who uploaded it.'),
  issue_id: z.uuid().nullable().describe('Null while no issue has used it.'),
  created_at: z.iso.datetime(),
});

type AttachmentWire = z.infer<typeof attachmentWire>;

export function toAttachmentWire(attachment: Attachment): AttachmentWire {
  const { id, name, mediaType, bytes, width, height, userId, issueId, createdAt } = attachment;
  return {
    id,
    name,
    media_type: mediaType,
    bytes,
    width,
    height,
    user_id: userId,
    issue_id: issueId,
    created_at: createdAt.toISOString(),
  };
}
