/** The part of the catalogue that is about attachments. */
export const attachmentErrors = {
  attachment_type_unsupported: { kind: 'invalid', retry: false, message: 'A file of this type cannot be attached.' },
  attachment_unreadable: {
    kind: 'invalid',
    retry: false,
    message: 'The file cannot be read as what its `media_type` says.',
  },
  attachment_unusable: {
    kind: 'invalid',
    retry: false,
    message: 'An attachment is not yours, has expired, or belongs to an issue already.',
  },
  attachment_not_found: { kind: 'not_found', retry: false, message: 'There is no such attachment.' },
  attachment_too_large: { kind: 'too_large', retry: false, message: 'The file is too large to be attached.' },
  attachments_full: {
    kind: 'conflict',
    retry: false,
    message: 'You have as many unused attachments as one user may have.',
  },
  issue_attachments_full: {
    kind: 'conflict',
    retry: false,
    message: 'The issue would have more attachments than one issue may have.',
  },
  pictures_unavailable: {
    kind: 'unavailable',
    retry: false,
    message: 'This server takes no pictures: it has no sandbox in which they can be decoded.',
  },
  uploads_busy: { kind: 'unavailable', retry: true, message: 'Too many files are being uploaded at this moment.' },
} as const;
