import type { NewAttachment } from '@sluice/core/attachment';
import type { AttachmentId } from '@sluice/core/id';
import { newId } from './ids.ts';

/** A text as a user attaches it. */
export function aNewAttachment(overrides: Partial<NewAttachment> & Pick<NewAttachment, 'userId'>): NewAttachment {
  return {
    id: newId() as AttachmentId,
    name: 'server.log',
    mediaType: 'text/plain',
    width: null,
    height: null,
    content: new TextEncoder().encode('GET / 500\n'),
    ...overrides,
  };
}
