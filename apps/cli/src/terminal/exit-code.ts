import type { ErrorKind, IssueStatus } from '@sluice/core';

/** What the command's exit says to a script. */
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
  interrupted: 130,
} as const;

/** What each means, in words; docs/exit-codes.md is printed from here. */
export const exitCodeMeaning = {
  done: 'Done.',
  unexpected: 'Unexpected: nobody listens at the address, the server or what it depends on failed, or a fault of ours.',
  usage: 'Used wrongly: an unknown option, a value that is refused, a configuration that is not valid.',
  notLoggedIn: 'Not logged in, or the e-mail or the password is wrong.',
  notFound: 'Not found, or not yours.',
  conflict: 'A conflict: busy, stale, there already, or not in that status.',
  rateLimited: 'Too many requests: wait and try again.',
  pipelineFailed: 'The pipeline failed; `sluice issues show` says why.',
  declined: 'Rejected or cancelled; or you said no.',
  waitsForApproval: 'The issue waits for approval.',
  interrupted: 'Interrupted by Ctrl-C or a signal. What the server works on goes on.',
} as const satisfies Record<keyof typeof exitCode, string>;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A refusal of the server, as an exit code. Total: a new kind of error does not compile until it has one. */
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

/** How an issue's last status ends the command; null while it has not ended. */
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

/** Ends a command with an exit code and a sentence for the person. */
export class CommandError extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
  }
}
