export { addAttachment } from './add-attachment.ts';
export {
  type Attachment,
  attachmentTypes,
  attachmentWire,
  isPictureType,
  MAX_ATTACHMENT_BYTES,
  MAX_ISSUE_ATTACHMENTS,
  MAX_NAME_CHARACTERS,
  MAX_UNUSED_ATTACHMENTS,
  type PictureType,
  toAttachmentWire,
  UNUSED_MS,
} from './attachment.ts';
export type { AttachmentStore, NewAttachment } from './attachment-store.ts';
export { authorizeAttachment } from './authorize-attachment.ts';
export type { DrawnPicture, PictureCodec } from './picture-codec.ts';
