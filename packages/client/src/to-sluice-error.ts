import { TRPCClientError } from '@trpc/client';
import { connectionFault } from './connection-fault.ts';
import { SluiceError, type SluiceErrorFields } from './sluice-error.ts';

interface Server {
  readonly origin: string;
  readonly timeoutMs: number;
}

/** Turns the failure of a call into the one kind of error that callers see. */
export function toSluiceError(error: unknown, server: Server): SluiceError {
  if (error instanceof SluiceError) return error;
  const failed = error instanceof TRPCClientError ? error : null;
  if (failed?.cause instanceof SluiceError) return failed.cause;
  const response = failed?.meta?.response instanceof Response ? failed.meta.response : null;
  const requestId = response?.headers.get('x-request-id') ?? null;
  // What the server refuses before it looks for a procedure, such as an origin, is answered as over REST.
  const body = refusalIn(failed?.data) ?? refusalIn({ error: response?.ok === false && failed?.meta?.responseJSON });
  if (body !== null) {
    const given = (failed?.data as { httpStatus?: unknown } | undefined)?.httpStatus;
    const status = typeof given === 'number' ? given : (response?.status ?? null);
    return new SluiceError(
      {
        code: body.code,
        status,
        detail: body.detail,
        errors: fieldFaults(body.errors),
        retryAfterMs: waitOf(body, response),
        requestId: typeof body.request_id === 'string' ? body.request_id : requestId,
        body,
      },
      { cause: error },
    );
  }
  const nothing = { errors: [], retryAfterMs: waitOf({}, response), requestId, body: {} };
  const status = response?.status ?? streamStatus(failed?.cause);
  const isTimeout = causedByTimeout(error);
  if (status !== null && !isTimeout)
    return new SluiceError({ ...nothing, ...foreignAnswer(status, server), status }, { cause: error });
  const fault = connectionFault(error, server.origin, server.timeoutMs);
  return new SluiceError({ ...nothing, ...fault, status: null }, { cause: error });
}

/** Describes an answer that does not come from a Sluice server. */
export function foreignAnswer(
  status: number,
  { origin }: Pick<Server, 'origin'>,
): Pick<SluiceErrorFields, 'code' | 'detail'> {
  const away = status === 502 || status === 503 || status === 504;
  return away
    ? {
        code: 'unreachable',
        detail: `The proxy in front of ${origin} cannot reach the server (HTTP ${status}). Try again later.`,
      }
    : {
        code: 'unexpected_answer',
        detail: `The answer from ${origin} (HTTP ${status}) is not from a Sluice server. Check the address.`,
      };
}

type Body = Record<string, unknown> & { code: string; detail: string };

/** A proxy may answer anything, so the body is checked member by member. */
function refusalIn(data: unknown): Body | null {
  const body = (data as { error?: Partial<Body> } | null | undefined)?.error;
  return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as Body) : null;
}

function fieldFaults(errors: unknown): SluiceErrorFields['errors'] {
  if (!Array.isArray(errors)) return [];
  return errors.filter((one) => typeof one?.path === 'string' && typeof one.message === 'string');
}

function waitOf(body: Record<string, unknown>, response: Response | null): number | null {
  const seconds = body.retry_after_seconds ?? response?.headers.get('retry-after') ?? null;
  const wait = seconds === null ? Number.NaN : Number(seconds);
  return Number.isFinite(wait) && wait >= 0 ? wait * 1_000 : null;
}

/** A stream that a proxy refused fails with an event that has the status. */
function streamStatus(cause: unknown): number | null {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : null;
}

/** A timeout can strike in the middle of an answer, when the status is known already. */
function causedByTimeout(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth += 1) {
    if (at.name === 'TimeoutError') return true;
  }
  return false;
}
