import type { ServerErrorCode } from './server-calls.ts';

/**
 * Codes for a call without an answer from a Sluice server: no answer, none in time, an answer from something else, or an
 * untrusted certificate.
 */
export type ConnectionErrorCode = 'unreachable' | 'timeout' | 'unexpected_answer' | 'certificate_refused';

/** The codes that this client knows. */
export type KnownErrorCode = ServerErrorCode | ConnectionErrorCode;

/** A newer server may have codes that this client does not know yet. */
export type SluiceErrorCode = KnownErrorCode | (string & {});

export interface SluiceErrorFields {
  readonly code: SluiceErrorCode;
  /** The HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** What happened and what to do, for people. It comes from the server: escape it before it reaches a terminal. */
  readonly detail: string;
  /** The invalid fields of a request that failed validation. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** How long to wait before a retry. */
  readonly retryAfterMs: number | null;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;
  /** The whole of the server's error body; some codes have further members, such as `active_issue_id`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A call that the server refused, or that got no answer from one. */
export class SluiceError extends Error implements SluiceErrorFields {
  override readonly name = 'SluiceError';
  readonly code: SluiceErrorCode;
  readonly status: number | null;
  readonly detail: string;
  readonly errors: SluiceErrorFields['errors'];
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly body: SluiceErrorFields['body'];

  constructor(fields: SluiceErrorFields, options?: ErrorOptions) {
    super(fields.detail, options);
    this.code = fields.code;
    this.status = fields.status;
    this.detail = fields.detail;
    this.errors = fields.errors;
    this.retryAfterMs = fields.retryAfterMs;
    this.requestId = fields.requestId;
    this.body = fields.body;
  }
}

/** Whether `error` is a failed call, with this `code` if one is given. Compare `error.code` with a code that is not known here. */
export function isSluiceError(error: unknown): error is SluiceError;
export function isSluiceError<Code extends KnownErrorCode>(
  error: unknown,
  code: Code,
): error is SluiceError & { readonly code: Code };
export function isSluiceError(error: unknown, code?: KnownErrorCode): error is SluiceError {
  return error instanceof SluiceError && (code === undefined || error.code === code);
}
