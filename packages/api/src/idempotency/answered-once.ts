import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import type { IdempotentRequest, ResponseToStore, StoredResponse } from '@sluice/core/request';
import type { RequestContext } from '../procedure/request-context.ts';

const KEPT_MS = 86_400_000; // a day
const CLAIM_MS = 15_000; // how long a dead process blocks a retry of its request
const EXTEND_EVERY_MS = CLAIM_MS / 3;
const WAIT_MS = 50_000; // proxies time out after a minute; the claim of a dead process expires long before
const ASK_EVERY_MS = 100;
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A request that creates something. */
interface Making<Made, Body> {
  readonly route: string;
  /** The parsed input: two spellings of one body are equal. */
  readonly input: unknown;
  /** `location`: where the created resource is; empty for none. */
  readonly toResponse: (made: Made) => { readonly body: Body; readonly location: string };
}

type IdempotentContext = Pick<RequestContext, 'idempotency' | 'ids' | 'head' | 'signal' | 'appendHeader'> & {
  readonly caller: Caller;
};

/**
 * Executes a request that creates something. A request with an `Idempotency-Key` is executed once: a retry, over either
 * transport, gets the first answer or waits for it. Refusals and failures are not stored, and can be retried with the same
 * key.
 *
 * @param make receives the response to store with what it creates
 * @throws AppError `validation_failed` for an invalid key, `idempotency_key_reused`, `idempotency_key_busy`
 */
export async function answeredOnce<Made, Body>(
  ctx: IdempotentContext,
  request: Making<Made, Body>,
  make: (response: ResponseToStore<Made> | undefined) => Promise<Made>,
): Promise<Body> {
  const key = keyOf(ctx.head.idempotencyKey);
  const response =
    key === null ? request.toResponse(await make(undefined)) : await once(ctx, { ...request, key }, make);
  if (response.location !== '') ctx.appendHeader('Location', response.location);
  return response.body as Body;
}

async function once<Made>(
  ctx: IdempotentContext,
  request: Making<Made, unknown> & { readonly key: string },
  make: (response: ResponseToStore<Made>) => Promise<Made>,
): Promise<StoredResponse> {
  const { idempotency } = ctx;
  const named: IdempotentRequest = {
    userId: ctx.caller.userId,
    route: routeOf(request.route, ctx.caller),
    key: request.key,
  };
  const claim = { hash: hashOf(request.input), owner: ctx.ids.next(), ttlMs: CLAIM_MS, keptMs: KEPT_MS };
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const outcome = await idempotency.claim(named, claim);
    if (outcome.kind === 'other_request') throw new AppError('idempotency_key_reused');
    if (outcome.kind === 'answered') {
      ctx.appendHeader('Idempotency-Replayed', 'true');
      return outcome.response;
    }
    if (outcome.kind === 'taken') break;
    if (performance.now() > end) throw new AppError('idempotency_key_busy');
    await sleep(ASK_EVERY_MS, undefined, { signal: ctx.signal });
  }
  const { toResponse } = request;
  // If this fails, another request may take over the claim; the write ensures that only one of them creates anything.
  const extend = () => void idempotency.extend(named, claim.owner, CLAIM_MS).catch(() => {});
  const beat = setInterval(extend, EXTEND_EVERY_MS);
  try {
    return toResponse(await make({ request: named, owner: claim.owner, toResponse }));
  } catch (error) {
    await idempotency.release(named, claim.owner).catch(() => {}); // otherwise the claim expires by itself
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** With the limits of a token: what one was answered is not for another one that may see less. */
function routeOf(route: string, { limits }: Caller): string {
  return limits === null ? route : `${route} as ${limits.role} of ${limits.repoId ?? 'all'}`;
}

function keyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (KEY.test(header)) return header;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw new AppError('validation_failed', {
    detail: `The request is not valid. Idempotency-Key: ${message}.`,
    errors: [{ path: 'Idempotency-Key', message }],
  });
}

/** Equal for the same members in any order. */
function hashOf(input: unknown): string {
  const sorted = JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('base64url');
}
