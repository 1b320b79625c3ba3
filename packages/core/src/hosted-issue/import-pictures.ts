import { addAttachment } from '../attachment/add-attachment.ts';
import { MAX_ATTACHMENT_BYTES } from '../attachment/attachment.ts';
import type { AttachmentStore } from '../attachment/attachment-store.ts';
import type { PictureCodec } from '../attachment/picture-codec.ts';
import type { Initiator } from '../audit/audit-entry.ts';
import type { CodeHost, HostedPicture } from '../code-host/code-host.ts';
import { AppError } from '../error/app-error.ts';
import type { AttachmentId, Ids, UserId } from '../id/id.ts';

/** Half of what an issue may have: the other half is left for people. */
const MAX_PICTURES = 10;
/** The time of all together: a person waits for the import. */
const FETCH_MS = 10_000;

export interface ImportPicturesContext {
  readonly attachments: Pick<AttachmentStore, 'put'>;
  readonly pictures: PictureCodec;
  readonly ids: Ids;
}

interface ImportedPictures {
  /** Unused attachments of the user. */
  readonly ids: readonly AttachmentId[];
  /** The pictures that are missing, each with the reason. */
  readonly missing: readonly string[];
}

/**
 * Fetches the pictures of an issue, one after the other, and keeps them as attachments of the user. A picture that cannot be
 * fetched or decoded is left out: it never stops the import.
 *
 * @throws the signal's reason when cancelled
 */
export async function importPictures(
  context: ImportPicturesContext,
  { host, pictures }: { readonly host: Pick<CodeHost, 'withPicture'>; readonly pictures: readonly HostedPicture[] },
  whose: { readonly by: Initiator | 'service'; readonly userId: UserId; readonly signal: AbortSignal },
): Promise<ImportedPictures> {
  const ids: AttachmentId[] = [];
  const missing: string[] = [];
  const deadline = AbortSignal.timeout(FETCH_MS);
  const signal = AbortSignal.any([whose.signal, deadline]);
  for (const [at, picture] of pictures.entries()) {
    const miss = (reason: string) => missing.push(`${picture.name}: ${reason}`);
    if (at >= MAX_PICTURES) miss(`At most ${MAX_PICTURES} pictures are fetched.`);
    else if (deadline.aborted) miss('There was no time left for it.');
    else {
      try {
        const added = await host.withPicture(picture, { maxBytes: MAX_ATTACHMENT_BYTES, signal }, (fetched) =>
          addAttachment(context, { ...whose, ...fetched, name: picture.name, signal }),
        );
        ids.push(added.id);
      } catch (error) {
        whose.signal.throwIfAborted();
        if (deadline.aborted) miss('There was no time left for it.');
        else if (error instanceof AppError) miss(error.message);
        else throw error;
      }
    }
  }
  return { ids, missing };
}
