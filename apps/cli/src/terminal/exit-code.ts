import type { ErrorKind } from '@sluice/core/error';
import type { IssueStatus } from '@sluice/core/issue';

/** The exit codes of the command. */
export const exitCode = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notLoggedIn: 3,
  notFound: 4,
  conflict: 5,
  rateLimited: 6,
  pipelineFailed: 7,
  declined: 8,
  waitsForApproval: 9,
  modelMissing: 10,
  interrupted: 130,
} as const;

/** The meaning of each; docs/exit-codes.md is generated from here. */
export const exitCodeMeaning = {
  done: 'Done.',
  unexpected: 'Unexpected failure: the server is unreachable, it or a service that it needs failed, or there is a bug.',
  usage: 'Usage error: an unknown option, an invalid value or an invalid configuration.',
  notLoggedIn: 'Not logged in, or wrong e-mail or password.',
  notFound: 'Not found, or not yours.',
  conflict: 'Conflict: busy, stale, already exists, or not possible in the current status.',
  rateLimited: 'Too many requests. Wait and try again.',
  pipelineFailed: 'The pipeline failed. `sluice show`, or on a server `sluice issues show`, prints the reason.',
  declined: 'The issue was rejected or cancelled, or you answered no to a confirmation.',
  waitsForApproval: 'The issue is waiting for approval.',
  modelMissing: 'A model is needed, and none is configured. Nothing was approved.',
  interrupted: 'Interrupted by Ctrl-C or a signal. An issue on a server keeps running.',
} as const satisfies Record<keyof typeof exitCode, string>;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code for each kind of error. Total: a new kind does not compile until it has one. */
export const exitCodeByKind = {
  invalid: exitCode.usage,
  unauthenticated: exitCode.notLoggedIn,
  forbidden: exitCode.notFound,
  not_found: exitCode.notFound,
  method_not_allowed: exitCode.unexpected,
  too_large: exitCode.usage,
  unsupported_media_type: exitCode.unexpected,
  conflict: exitCode.conflict,
  rate_limited: exitCode.rateLimited,
  upstream: exitCode.unexpected,
  unavailable: exitCode.unexpected,
  pipeline: exitCode.pipelineFailed,
  bug: exitCode.unexpected,
} as const satisfies Record<ErrorKind, ExitCode>;

/** The exit code for each status of an issue; null while the issue has not ended. */
export const exitCodeByStatus = {
  pending: null,
  running: null,
  human_review: null,
  awaiting_approval: null,
  completed: exitCode.done,
  rejected: exitCode.declined,
  failed: exitCode.pipelineFailed,
  cancelled: exitCode.declined,
} as const satisfies Record<IssueStatus, ExitCode | null>;

/** Reports the exit code of a command that has ended. */
export type Finish = (code: ExitCode) => void;

/** Ends a command with an exit code and a message for the user. */
export class CommandError extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.code = code;
  }
}
