import type { UserId } from '../id/id.ts';

/** A request that its client has named, so that it can be sent again without being carried out again. */
export interface IdempotentRequest {
  readonly userId: UserId;
  /** The same key names another request on another route. */
  readonly route: string;
  readonly key: string;
}

/** What a request was answered with. */
export interface StoredResponse {
  readonly body: unknown;
  readonly location: string;
}

/**
 * The answer to a request, for the write that makes what it asks for: it keeps the answer too, or nothing is written. So
 * whoever dies has either done nothing, or has left his answer to whoever asks again.
 */
export interface ResponseToStore<Made> {
  readonly request: IdempotentRequest;
  /** Whose claim it is. */
  readonly owner: string;
  readonly answerOf: (made: Made) => StoredResponse;
}

export type RequestClaim =
  /** It is the caller's to carry out. */
  | { readonly kind: 'taken' }
  /** Somebody else is carrying it out. */
  | { readonly kind: 'under_way' }
  | { readonly kind: 'answered'; readonly answer: StoredResponse }
  /** The key names a request that said something else. */
  | { readonly kind: 'other_request' };

/** Answers by the keys that clients have given their requests. They are kept by the writes that they tell of: `ResponseToStore`. */
export interface IdempotencyStore {
  /**
   * Takes a request to be carried out, for `ttlMs`; of several claims at once exactly one is `taken`. A claim that ran out,
   * because its process died, is taken over by the next.
   *
   * @param claim `hash` tells what the request says; `owner` is new for every claim; answers older than `keptMs` are forgotten
   */
  claim(
    request: IdempotentRequest,
    claim: { readonly hash: string; readonly owner: string; readonly ttlMs: number; readonly keptMs: number },
  ): Promise<RequestClaim>;
  /** Holds a claim for `ttlMs` from now. Nothing happens when it was answered or taken over. */
  extend(request: IdempotentRequest, owner: string, ttlMs: number): Promise<void>;
  /** Gives the request back as if it had never been: it was refused, or failed. One that was answered stays so. */
  release(request: IdempotentRequest, owner: string): Promise<void>;
}
