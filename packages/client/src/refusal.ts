import type { AppRouter } from '@sluice/api';
import { TRPCClientError } from '@trpc/client';

/** The server's error body: what happened (`detail`), the catalogue's `code`, and for some codes further members. */
export type Refusal = NonNullable<TRPCClientError<AppRouter>['data']>['error'];

/** Whether a call failed at all: by the server's refusal, or because none of its answers came back. */
export function isFailedCall(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}

/** The server's error body when `error` is its refusal; null when nobody, or something else, answered the call. */
export function refusalOf(error: unknown): Refusal | null {
  // What is between us and the server can answer anything, so the type is not enough.
  const body: Partial<Refusal> | undefined = isFailedCall(error) ? error.data?.error : undefined;
  return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as Refusal) : null;
}
