import { type ErrorCode, errorCatalog } from './error-catalog.ts';
import type { ErrorKind } from './error-kind.ts';

/** A fault in a field of a request, in its wire format. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** Details of an error. They must not contain secrets, paths of the host or queries. */
export interface ErrorDetails {
  /** Replaces the message of the catalogue: what happened, to what, and the next step. */
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly retryAfterMs?: number;
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** Further members of the error body (snake_case), e.g. the issue that holds a repository. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Headers of the response, e.g. `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error that Sluice throws on purpose. Expected refusals within the domain are return values. */
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

/** Turns any thrown value into an `AppError`. Called once, at the outer edge. Unknown errors are bugs and become the cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', {}, { cause: thrown });
}
