import { AppError } from '@sluice/core/error';

/** What an embedding model and a store of vectors may do. @throws anything else, a shutdown too, as it came */
export function expectedFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError && (thrown.code === 'not_ready' || thrown.code.startsWith('model_'))) return thrown;
  throw thrown;
}
