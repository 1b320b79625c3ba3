import { type ErrorCode, type ErrorKind, errorCatalog } from './error-catalog.ts';

/** One fault of a request's field, as the wire shows it. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** Facts that travel with an error. Nothing secret, no host path, no query belongs here. */
export interface ErrorDetails {
  /** Replaces the catalogue's sentence: what happened, to what, and the next step. */
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly retryAfterMs?: number;
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** Further members of the error body (snake_case), e.g. the issue that holds a repository. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Headers that belong to the answer, e.g. `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error that Sluice throws on purpose. Expected refusals inside the domain are return values instead. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(details.detail ?? errorCatalog[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get kind(): ErrorKind {
    return errorCatalog[this.code].kind;
  }

  get retry(): boolean {
    return errorCatalog[this.code].retry;
  }
}

/** Turns whatever was thrown into an `AppError`, once, at an outer edge. What is unknown is a bug and keeps its cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', {}, { cause: thrown });
}
