import { RequestError } from '@octokit/request-error';
import { AppError, type ErrorCode } from '@sluice/core/error';
import { scrub } from '@sluice/core/text';
import { z } from 'zod';

/** The request that failed, for the error. */
export interface FailedRequest {
  /** The template, such as `GET /repos/{owner}/{repo}`, without parameters. */
  readonly route: string;
  readonly token: string;
  readonly now: Date;
}

/**
 * Turns the error of a request into an AppError with a code of the port. The client's error holds the request with its
 * headers, so it is not passed on: the cause has only what is needed to ask the provider about it.
 */
export function hostFailure(error: unknown, request: FailedRequest): AppError {
  if (error instanceof AppError) return error;
  if (isGraphLimit(error)) {
    const cause = new Error(`${request.route} was answered with a used-up quota`);
    return new AppError('codehost_busy', { retryAfterMs: waitOf(error, request.now) }, { cause });
  }
  if (!(error instanceof RequestError) || error.response === undefined) return unreachable(error, request);
  const { status, headers, data } = error.response;
  const cause = new Error(
    `${request.route} was answered with ${status}, request ${requestId(headers['x-github-request-id'])}`,
  );
  if (asksToWait(error)) {
    return new AppError('codehost_busy', { retryAfterMs: waitOf(error, request.now) }, { cause });
  }
  const code = codeOf(status);
  const reason = hasReason.has(code) ? reasonOf(data, request.token) : null;
  return new AppError(code, reason === null ? {} : { detail: `${sentences[code]} Its reason: ${reason}` }, { cause });
}

/** The error for a response that does not match the schema. */
export function unexpectedResponse(route: string): AppError {
  const detail = "The code host's response is not in the expected format.";
  return new AppError(
    'codehost_unavailable',
    { detail },
    { cause: new Error(`${route} returned an unexpected response`) },
  );
}

const sentences: Partial<Record<ErrorCode, string>> = {
  codehost_forbidden: 'Your account at the code host is not allowed to do this.',
  codehost_refused: 'The code host refused the request.',
};
const hasReason: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['codehost_forbidden', 'codehost_refused']);

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

/** A used-up quota of the GraphQL API comes with status 200, and its client makes an error of its own of it. */
function isGraphLimit(error: unknown): error is Pick<RequestError, 'response'> {
  return error instanceof Error && graphLimit.safeParse(error).success;
}

const limitFault = z.object({ type: z.literal('RATE_LIMITED') });
const graphLimit = z.object({
  response: z.object({
    data: z.object({
      errors: z.array(z.unknown()).refine((all) => all.some((one) => limitFault.safeParse(one).success)),
    }),
  }),
});

/** The error for a refusal that came with status 200. */
export function graphRefusal(code: ErrorCode, message: string, host: { withoutToken(text: string): string }): AppError {
  if (!hasReason.has(code)) return new AppError(code);
  return new AppError(code, { detail: `${sentences[code]} Its reason: ${plainReason(host.withoutToken(message))}` });
}

const DEFAULT_WAIT_MS = 60_000; // the provider's guideline when it names no time
const MAX_WAIT_MS = 3_600_000; // quotas are per hour; a wrong clock must not block requests for longer

function waitOf({ response }: Pick<RequestError, 'response'>, now: Date): number {
  const { 'retry-after': after, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = response?.headers ?? {};
  const seconds = Number(after);
  const requested =
    after !== undefined && after !== ''
      ? Number.isFinite(seconds)
        ? seconds * 1_000
        : Date.parse(String(after)) - now.getTime()
      : left === '0'
        ? Number(reset) * 1_000 - now.getTime()
        : DEFAULT_WAIT_MS;
  const wait = Number.isFinite(requested) ? requested : DEFAULT_WAIT_MS;
  return Math.min(Math.max(wait, 1_000), MAX_WAIT_MS);
}

function unreachable(error: unknown, { route }: FailedRequest): AppError {
  const inner = error instanceof Error && error.cause instanceof AppError ? error.cause : null;
  if (inner !== null) return new AppError(inner.code, inner.details, { cause: new Error(`${route} was aborted`) });
  return new AppError('codehost_unavailable', {}, { cause: new Error(`${route} failed: ${systemCode(error)}`) });
}

/** The system's code of the failure (`ECONNREFUSED`): the only part that cannot contain anything of the request. */
function systemCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_]{2,40}$/.test(at.code)) return at.code;
  }
  return 'no response';
}

function requestId(id: unknown): string {
  return typeof id === 'string' && /^[\w:.-]{1,64}$/.test(id) ? id : 'without an id';
}

const MAX_REASON_LENGTH = 300; // a sentence or two

const faultSchema = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
const errorBodySchema = z.object({ message: z.string(), errors: z.array(z.unknown()).optional() });

/** The host's reason for a refusal, without the token; null if the body has none (such as a proxy's page). */
function reasonOf(data: unknown, token: string): string | null {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return null;
  const faults = (body.data.errors ?? []).flatMap((error) => faultSchema.safeParse(error).data ?? []);
  const plain = plainReason(scrub([body.data.message, ...faults].join(': '), [token]));
  return plain === '' ? null : plain;
}

function plainReason(text: string): string {
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return plain.length > MAX_REASON_LENGTH ? `${plain.slice(0, MAX_REASON_LENGTH)}…` : plain;
}
