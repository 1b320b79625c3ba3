import { AppError, type ResponseToStore } from '@sluice/core';
import { and, eq } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * Stores the response to a request with an idempotency key, in the write that created what the response describes.
 *
 * @throws AppError `idempotency_key_busy` when another process has taken over the request; the write is rolled back
 */
export async function storeResponse<Created>(
  write: Write,
  created: Created,
  response: ResponseToStore<Created> | undefined,
): Promise<void> {
  if (response === undefined) return;
  const { requestAnswers: answers } = write.context.database.tables;
  const { request, owner, toResponse } = response;
  const isClaimed = and(
    eq(answers.userId, request.userId),
    eq(answers.route, request.route),
    eq(answers.key, request.key),
    eq(answers.owner, owner),
  );
  const stored = await write.db
    .update(answers)
    .set({ answer: toResponse(created), owner: null, heldUntil: null })
    .where(isClaimed)
    .returning({ key: answers.key });
  if (stored.length === 0) throw new AppError('idempotency_key_busy');
}
