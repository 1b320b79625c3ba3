import { TRPCClientError } from '@trpc/client';

/** The server's error body, as far as it is the same for every refusal; some have further members. */
export interface Refusal {
  readonly code?: string;
  readonly detail?: string;
  readonly [member: string]: unknown;
}

/**
 * The server's error body when `error` is its refusal. An empty one when the call failed without an answer of the
 * server's own (nobody listens, a proxy in between); null when it is something else altogether.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof TRPCClientError)) return null;
  const body: unknown = error.data;
  return typeof body === 'object' && body !== null ? (body as Refusal) : {};
}
