import type { UserId } from '../id/id.ts';

/** A request with an idempotency key: sent again, it is not carried out again. */
export interface IdempotentRequest {
  readonly userId: UserId;
  /** Keys are separate for each route. */
  readonly route: string;
  readonly key: string;
}

/** The response to a request, as it is sent again to a client that repeats the request. */
export interface StoredResponse {
  readonly body: unknown;
  readonly location: string;
}

/**
 * The response to a request, for the write that creates what the request asks for. Both are written in one transaction,
 * so a process that dies has either done nothing or left its response for the retry.
 */
export interface ResponseToStore<Created> {
  readonly request: IdempotentRequest;
  /** The claim's owner. */
  readonly owner: string;
  readonly toResponse: (created: Created) => StoredResponse;
}

type RequestClaim =
  /** The caller carries it out. */
  | { readonly kind: 'taken' }
  /** Another caller is carrying it out. */
  | { readonly kind: 'under_way' }
  | { readonly kind: 'answered'; readonly response: StoredResponse }
  /** The key belongs to a request with other content. */
  | { readonly kind: 'other_request' };

/** Responses by idempotency key. The write that carries out a request stores its response: `ResponseToStore`. */
export interface IdempotencyStore {
  /**
   * Claims a request for `ttlMs`. Of several concurrent claims exactly one is `taken`. A claim that expired because its
   * process died is taken over by the next one.
   *
   * @param claim `hash` identifies the request's content; `owner` is new for every claim; responses older than `keptMs` are deleted
   */
  claim(
    request: IdempotentRequest,
    claim: { readonly hash: string; readonly owner: string; readonly ttlMs: number; readonly keptMs: number },
  ): Promise<RequestClaim>;
  /** Extends a claim to `ttlMs` from now. Does nothing when it was answered or taken over. */
  extend(request: IdempotentRequest, owner: string, ttlMs: number): Promise<void>;
  /** Releases the claim of a request that was refused or failed, so that it can be sent again. Does nothing when it was answered. */
  release(request: IdempotentRequest, owner: string): Promise<void>;
}
