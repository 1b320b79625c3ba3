import { AppError } from '@sluice/core';
import { WorkLost } from './work-thread.ts';

/** Does work again, once, after a damaged database was made anew. Twice in a row is no longer about the file. */
export async function startingOver<T>(work: () => Promise<T>): Promise<T> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      if (isLast) {
        const detail = `${error.subject} is damaged again and again.`;
        throw new AppError('not_ready', { detail }, { cause: error });
      }
    }
  }
}
