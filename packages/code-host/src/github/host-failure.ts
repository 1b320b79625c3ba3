import { RequestError } from '@octokit/request-error';
import { AppError, type ErrorCode } from '@sluice/core';
import { hostWords } from './host-words.ts';

/** What was asked, for telling of its failure. */
export interface AskedOfHost {
  /** `GET /repos/{owner}/{repo}`: without what is put in. */
  readonly route: string;
  readonly token: string;
  readonly now: Date;
}

/**
 * What a request threw, as an AppError of the port's codes. The client's own error holds the request with its headers, so
 * it goes no further: the cause tells what is needed to ask the provider about it.
 */
export function hostFailure(error: unknown, asked: AskedOfHost): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof RequestError) || error.response === undefined) return unreachable(error, asked);
  const { status, headers, data } = error.response;
  const cause = new Error(
    `${asked.route} was answered ${status}, request ${requestId(headers['x-github-request-id'])}`,
  );
  if (asksToWait(error)) {
    return new AppError('codehost_busy', { retryAfterMs: waitOf(error, asked.now) }, { cause });
  }
  const code = codeOf(status);
  const words = saysWhy.has(code) ? hostWords(data, asked.token) : null;
  return new AppError(code, words === null ? {} : { detail: `${sentences[code]} It says: ${words}` }, { cause });
}

/** The host has answered, in a form that is not the one agreed upon. */
export function senselessAnswer(route: string): AppError {
  const detail = "The code host's answer makes no sense.";
  return new AppError(
    'codehost_unavailable',
    { detail },
    { cause: new Error(`${route} was answered in another shape`) },
  );
}

const sentences: Partial<Record<ErrorCode, string>> = {
  codehost_forbidden: 'Your account at the code host is not allowed to do this.',
  codehost_refused: 'The code host refused the request.',
};
const saysWhy: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['codehost_forbidden', 'codehost_refused']);

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'codehost_relink_needed';
  if (status === 403 || status === 451) return 'codehost_forbidden';
  if (status === 404 || status === 410) return 'codehost_not_found';
  return status >= 400 && status < 500 && status !== 408 ? 'codehost_refused' : 'codehost_unavailable';
}

function asksToWait({ status, response, message }: RequestError): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const headers = response?.headers ?? {};
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /\bsecondary rate limit|\babuse detection/i.test(message)
  );
}

const USUAL_WAIT_MS = 60_000; // what the provider's guide says where it names no time
const LONGEST_WAIT_MS = 3_600_000; // its quotas are an hour's; a clock that is wrong must not silence us for longer

function waitOf({ response }: RequestError, now: Date): number {
  const { 'retry-after': after, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = response?.headers ?? {};
  const seconds = Number(after);
  const asked =
    after !== undefined && after !== ''
      ? Number.isFinite(seconds)
        ? seconds * 1_000
        : Date.parse(String(after)) - now.getTime()
      : left === '0'
        ? Number(reset) * 1_000 - now.getTime()
        : USUAL_WAIT_MS;
  const wait = Number.isFinite(asked) ? asked : USUAL_WAIT_MS;
  return Math.min(Math.max(wait, 1_000), LONGEST_WAIT_MS);
}

function unreachable(error: unknown, { route }: AskedOfHost): AppError {
  const own = error instanceof Error && error.cause instanceof AppError ? error.cause : null;
  if (own !== null) return new AppError(own.code, own.details, { cause: new Error(`${route} was given up`) });
  return new AppError('codehost_unavailable', {}, { cause: new Error(`${route} failed: ${systemCode(error)}`) });
}

/** What the system calls the failure (`ECONNREFUSED`): the only part of it that cannot hold anything of the request. */
function systemCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_]{2,40}$/.test(at.code)) return at.code;
  }
  return 'no answer';
}

function requestId(id: unknown): string {
  return typeof id === 'string' && /^[\w:.-]{1,64}$/.test(id) ? id : 'unnamed';
}
