import type { ServerErrorCode } from './server-calls.ts';

/**
 * Why a call failed without an answer of a Sluice server: nobody answered, not in time, something else than a server
 * did, or its certificate is not to be trusted.
 */
export type ConnectionErrorCode = 'unreachable' | 'timeout' | 'unexpected_answer' | 'certificate_refused';

/** A newer server may have codes that this client has no name for yet. */
export type SluiceErrorCode = ServerErrorCode | ConnectionErrorCode | (string & {});

export interface SluiceErrorFields {
  readonly code: SluiceErrorCode;
  /** The HTTP status, or null where nobody answered. */
  readonly status: number | null;
  /** What happened and what to do, for people. Comes from the server: neutralise it before it reaches a terminal. */
  readonly detail: string;
  /** The faulty fields of a request that was refused as not valid. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** How long to wait before the call is worth another try. */
  readonly retryAfterMs: number | null;
  /** Names the request in the log of the server. */
  readonly requestId: string | null;
  /** The whole of the server's error body; some codes have further members, such as `active_issue_id`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A call that the server refused, or that never got an answer of one. */
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

/** Whether `error` is a failed call, and, with `code`, one that failed for that reason. */
export function isSluiceError<Code extends SluiceErrorCode = SluiceErrorCode>(
  error: unknown,
  code?: Code,
): error is SluiceError & { readonly code: Code } {
  return error instanceof SluiceError && (code === undefined || error.code === code);
}
