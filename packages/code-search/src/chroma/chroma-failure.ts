import { AppError } from '@sluice/core';
import {
  ChromaConnectionError,
  ChromaForbiddenError,
  ChromaNotFoundError,
  ChromaQuotaExceededError,
  ChromaRateLimitError,
  ChromaUnauthorizedError,
} from 'chromadb';

/** What the client threw, as AppError `not_ready`, in words of our own: its own hold addresses of the operator's network. */
export function chromaFailure(error: unknown): AppError {
  return new AppError('not_ready', { detail: detailOf(error) }, { cause: error });
}

function detailOf(error: unknown): string {
  if (error instanceof ChromaConnectionError) return 'The vector store could not be reached.';
  if (error instanceof ChromaUnauthorizedError || error instanceof ChromaForbiddenError)
    return 'The vector store refuses the credentials that it was given.';
  if (error instanceof ChromaRateLimitError || error instanceof ChromaQuotaExceededError)
    return 'The vector store says that its limits are used up.';
  if (error instanceof ChromaNotFoundError) return 'There is no Chroma at the address of the vector store.';
  return 'The vector store failed, or refused what it was given.';
}
