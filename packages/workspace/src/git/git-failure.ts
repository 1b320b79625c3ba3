import { AppError } from '@sluice/core';
import { accountRefusal } from './account-refusal.ts';
import { byteSize } from './byte-size.ts';
import type { ProcessLimits } from './git-limits.ts';
import { remoteSentence } from './remote-sentence.ts';

/** How a git process ended, without anything secret. The cause of the `AppError` that callers see. */
export class GitExit extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(subcommand: string, exitCode: number | null, stderr: string) {
    super(`git ${subcommand} ended with ${exitCode ?? 'a signal'}: ${stderr}`);
    this.name = 'GitExit';
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
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

/**
 * The error that a failed call gives: `repo_too_large` when it went over a limit, `remote_unreachable` with a plain sentence when it talked to a remote, or what the
 * code host has against the account that it was made for; `git_failed` otherwise.
 */
export function gitFailure(
  exit: GitExit,
  call: { subcommand: string; remote: boolean; byAccount?: boolean | undefined; limits?: ProcessLimits },
): AppError {
  const excess = call.limits === undefined ? null : excessOf(exit.stderr, call.subcommand, call.limits);
  if (excess !== null) return new AppError('repo_too_large', { detail: excess }, { cause: exit });
  if (isDiskFull(exit.stderr)) {
    const detail = `git ${call.subcommand} failed: the disk of this server is full.`;
    return new AppError('disk_full', { detail }, { cause: exit });
  }
  const refusal = call.remote && call.byAccount === true ? accountRefusal(exit.stderr, exit) : null;
  if (refusal !== null) return refusal;
  const sentence = call.remote ? remoteSentence(exit.stderr) : null;
  if (sentence !== null) return new AppError('remote_unreachable', { detail: sentence }, { cause: exit });
  return failed(`git ${call.subcommand} failed: ${lastWords(exit.stderr)}`, exit);
}

/** The limit that a call went over, in words; null when it failed for another reason. */
function excessOf(stderr: string, subcommand: string, limits: ProcessLimits): string | null {
  if (/^(fatal|error): (?!remote error).*(Out of memory|Cannot allocate memory)/im.test(stderr)) {
    return subcommand === 'ls-remote'
      ? `The answer of the repository's server is too large: it takes more than ${byteSize(limits.memoryBytes)} of memory.`
      : `git ${subcommand} needs more than ${byteSize(limits.memoryBytes)} of memory for this repository. The operator can raise GIT_MAX_MEMORY.`;
  }
  if (/^(fatal|error): (?!remote error).*File too large/m.test(stderr)) {
    return `The repository takes more than ${byteSize(limits.fileBytes)} for its history. The operator can raise REPO_MAX_CLONE_SIZE.`;
  }
  return null;
}

export function isDiskFull(stderr: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(stderr);
}

/** The line that says most: git's own `fatal:` or `error:`, else the last one. */
export function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
  return telling.replace(/^(fatal|error): /, '').slice(0, 300);
}

function failed(detail: string, cause: unknown): AppError {
  return new AppError('git_failed', { detail }, { cause });
}
