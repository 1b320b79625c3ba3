import { AppError } from '@sluice/core/error';
import type { IdempotentRequest, ResponseToStore } from '@sluice/core/request';
import { and, eq } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

type Answered = IdempotentRequest & { owner: string; answer: Tables['requestAnswers']['$inferSelect']['answer'] };

const setAnswer = prepared(({ context, db }, given: Given<Answered>) => {
  const { requestAnswers: answers } = context.database.tables;
  const isClaimed = and(
    eq(answers.userId, given('userId', answers.userId)),
    eq(answers.route, given('route', answers.route)),
    eq(answers.key, given('key', answers.key)),
    eq(answers.owner, given('owner', answers.owner)),
  );
  return db
    .update(answers)
    .set({ answer: given('answer', answers.answer), owner: null, heldUntil: null })
    .where(isClaimed)
    .returning({ key: answers.key });
});

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
  const { request, owner, toResponse } = response;
  const stored = await setAnswer(write, { ...request, owner, answer: toResponse(created) });
  if (stored.length === 0) throw new AppError('idempotency_key_busy');
}
