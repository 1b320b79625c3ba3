import type { AttachmentType, PictureType } from './attachment.ts';

/** A picture as this service has drawn it. */
export interface DrawnPicture {
  readonly content: Uint8Array;
  readonly mediaType: Extract<AttachmentType, PictureType>;
  readonly width: number;
  readonly height: number;
}

/** Decodes untrusted pictures, and draws them again with nothing but their pixels. */
export interface PictureCodec {
  /**
   * @throws AppError `attachment_unreadable` for what is no picture of this type; `attachment_too_large` for one with too many
   * pixels, or that takes too much time or memory; `pictures_unavailable` where nothing isolates the decoder
   * @throws the signal's reason when cancelled
   */
  draw(picture: {
    readonly content: Uint8Array;
    readonly mediaType: PictureType;
    readonly signal: AbortSignal;
  }): Promise<DrawnPicture>;
}
