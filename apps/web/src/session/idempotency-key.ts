/** A new idempotency key. `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A request that has no answer yet. */
export interface Attempt {
  readonly key: string;
  /** The request's input, as JSON. */
  readonly input: string;
}

/** The key of a request: that of the attempt before it, if it asked for the same and got no answer. */
export function attemptOf(before: Attempt | null, input: unknown): Attempt {
  const json = JSON.stringify(input);
  return before?.input === json ? before : { key: newIdempotencyKey(), input: json };
}
