import { AppError, type ResponseToStore } from '@sluice/core';
import { and, eq } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * Keeps the answer to a named request, in the write that has made what it tells of.
 *
 * @throws AppError `idempotency_key_busy` when the request was taken over: then nothing of the write may stay
 */
export async function keepAnswer<Made>(
  write: Write,
  made: Made,
  answer: ResponseToStore<Made> | undefined,
): Promise<void> {
  if (answer === undefined) return;
  const { requestAnswers: answers } = write.context.database.tables;
  const { userId, route, key } = answer.request;
  const kept = await write.db
    .update(answers)
    .set({ answer: answer.answerOf(made), owner: null, heldUntil: null })
    .where(
      and(eq(answers.userId, userId), eq(answers.route, route), eq(answers.key, key), eq(answers.owner, answer.owner)),
    )
    .returning({ key: answers.key });
  if (kept.length === 0) throw new AppError('idempotency_key_busy');
}
