import { AppError } from '@sluice/core/error';
import { WorkLost } from './work-thread.ts';

/** Repeats work once after a damaged database was rebuilt. A second failure in a row is not caused by the file. */
export async function startingOver<T>(work: () => Promise<T>): Promise<T> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      if (isLast) {
        const detail = `${error.subject} is damaged repeatedly.`;
        throw new AppError('not_ready', { detail }, { cause: error });
      }
    }
  }
}
