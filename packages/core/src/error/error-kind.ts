/** Each edge (HTTP, tRPC, exit code) maps the kinds with a total table: a new one does not compile until every edge handles it. */
export const errorKinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'conflict',
  'rate_limited',
  'upstream',
  'unavailable',
  'pipeline',
  'bug',
] as const;

export type ErrorKind = (typeof errorKinds)[number];

/** An error of the catalogue. `retry` alone decides whether the worker retries a stage. */
export interface CatalogEntry {
  readonly kind: ErrorKind;
  readonly retry: boolean;
  readonly message: string;
}
