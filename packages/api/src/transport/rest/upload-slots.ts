import { AppError } from '@sluice/core/error';

/** Each holds a body of 14 MiB and what is decoded of it. */
const MAX_UPLOADS = 2;
const RETRY_MS = 1_000;

/** The uploads of this process that are in memory. */
export interface UploadSlots {
  /**
   * Takes a slot for a user, who has one at most. The caller releases it by the function that it gets.
   *
   * @throws AppError `uploads_busy`
   */
  take(userId: string): () => void;
}

/** So that neither many users at once nor one alone can fill the memory with bodies. */
export function createUploadSlots(): UploadSlots {
  const users = new Set<string>();
  return {
    take(userId) {
      if (users.has(userId)) {
        const detail = 'Another file of yours is being uploaded at this moment. Send them one after the other.';
        throw new AppError('uploads_busy', { detail, retryAfterMs: RETRY_MS });
      }
      if (users.size >= MAX_UPLOADS) throw new AppError('uploads_busy', { retryAfterMs: RETRY_MS });
      users.add(userId);
      return () => {
        users.delete(userId);
      };
    },
  };
}
