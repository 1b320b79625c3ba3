import type { NewAttachment, PictureCodec } from '@sluice/core/attachment';
import { AppError } from '@sluice/core/error';
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

/** A codec that is never asked, or that refuses: as on a server without a sandbox. */
export const noPictures: PictureCodec = {
  draw: () => Promise.reject(new AppError('pictures_unavailable')),
};
