import { AppError } from '@sluice/core/error';

/**
 * The failures that an embedding model and a store of vectors may have. @throws anything else, a shutdown too, as it
 * came
 */
export function expectedFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError && (thrown.code === 'not_ready' || thrown.code.startsWith('model_'))) return thrown;
  throw thrown;
}
