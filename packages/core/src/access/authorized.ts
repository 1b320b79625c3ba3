declare const authorized: unique symbol;

/**
 * A resource on which the caller may do these acts. Only `authorizeIssue`, `authorizeRepo` and `authorizeNotificationTarget`
 * make one, and every function that shows or changes a resource for a user takes it: code that forgets the check, or checks
 * another act, does not compile.
 */
export type Authorized<T, Act extends string = 'read'> = T & { readonly [authorized]: Readonly<Record<Act, true>> };

/**
 * Marks a resource whose access was checked: in the functions above, where a command reads again what it was given, and where the
 * service acts on what an admin has set.
 */
export function asAuthorized<T, Act extends string>(resource: T): Authorized<T, Act> {
  return resource as Authorized<T, Act>;
}
