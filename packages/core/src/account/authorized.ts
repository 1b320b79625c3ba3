import type { UserId } from '../id/id.ts';

declare const authorized: unique symbol;

/**
 * A resource whose owner was checked. Only `authorizeIssue`, `authorizeRepo` and `authorizeNotificationTarget` make
 * one, and every function that shows or changes a resource for a user takes it: code that forgets the check does not compile.
 */
export type Authorized<T> = T & { readonly [authorized]: true };

/** The resource, if `userId` owns it; null otherwise. */
export function ownedBy<T extends { readonly userId: UserId }>(userId: UserId, resource: T): Authorized<T> | null {
  return resource.userId === userId ? (resource as Authorized<T>) : null;
}
