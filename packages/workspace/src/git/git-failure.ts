import { AppError } from '@sluice/core/error';
import type { ProcessLimits } from './git-limits.ts';
import { type GitRefusal, refusalRow } from './git-refusals.ts';
import { GitWords } from './git-words.ts';

/** How a git process ended. The cause of the `AppError` that callers see; its message is for the log. */
export class GitExit extends Error {
  readonly exitCode: number | null;
  /** Null when the table of refusals does not know what git said. */
  readonly refusal: GitRefusal | null;

  constructor(message: string, exitCode: number | null, refusal: GitRefusal | null) {
    super(message);
    this.name = 'GitExit';
    this.exitCode = exitCode;
    this.refusal = refusal;
  }
}

export interface FailedCall {
  readonly subcommand: string;
  readonly remote: boolean;
  readonly byAccount: boolean;
  readonly limits: ProcessLimits;
}

export interface GitOutput {
  readonly exitCode: number | null;
  /** Redacted. */
  readonly stderr: string;
  /** What a push reported, redacted. */
  readonly report: string;
}

/** Takes secrets, credentials in URLs and absolute paths of this host out of what git said. */
export function redactGitOutput(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret !== '') safe = safe.replaceAll(secret, '***');
  }
  return safe
    .replace(/:\/\/[^/\s@]+@/g, '://***@')
    .replace(/(^|[\s'"(=,])(?:file:\/\/)?\/[^\s'",)]*/gm, '$1…')
    .replace(/\x1b\[[0-9;]*[A-Za-z]/g, '')
    .trim();
}

/** The error that a failed call gives: what the table has for git's words, or `git_failed` with the last of them. */
export function gitFailure({ exitCode, stderr, report }: GitOutput, call: FailedCall): AppError {
  const words = new GitWords(stderr, report);
  const { subcommand, byAccount, limits } = call;
  const found = words.refusal(call);
  const message = `git ${subcommand} ended with ${exitCode ?? 'a signal'}: ${[stderr, report].filter(Boolean).join('\n')}`;
  const exit = new GitExit(message, exitCode, found?.name ?? null);
  if (found === null) {
    return new AppError('git_failed', { detail: `git ${subcommand} failed: ${words.lastWords()}` }, { cause: exit });
  }
  const row = refusalRow(found.name);
  const ofAccount = byAccount ? row.ofAccount : undefined;
  const { code, detail } = ofAccount ?? (subcommand === 'push' ? row.ofPush : undefined) ?? row;
  return new AppError(code, { detail: detail({ subcommand, limits, line: found.line }) }, { cause: exit });
}

/** The refusal that an error of a git call is; null for any other error. */
export function refusalOf(error: unknown): GitRefusal | null {
  return error instanceof AppError && error.cause instanceof GitExit ? error.cause.refusal : null;
}
