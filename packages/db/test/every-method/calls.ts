import { accountCalls } from './account-calls.ts';
import { budgetCalls } from './budget-calls.ts';
import type { Arrange, CallsOf, StoreName } from './calls-of.ts';
import { codeHostCalls } from './code-host-calls.ts';
import { issueCalls } from './issue-calls.ts';
import { notificationCalls } from './notification-calls.ts';
import { oidcCalls } from './oidc-calls.ts';
import { runCalls } from './run-calls.ts';

const calls: CallsOf<StoreName> = {
  ...issueCalls,
  ...runCalls,
  ...accountCalls,
  ...budgetCalls,
  ...codeHostCalls,
  ...notificationCalls,
  ...oidcCalls,
};

export interface Call {
  /** Such as `issues.list by status`. */
  readonly name: string;
  readonly arrange: Arrange;
}

/** The calls of every method that the stores have. @throws Error for a method that has none, whatever its type says */
export function callsOf(stores: object): readonly Call[] {
  return methodsOf(stores).flatMap(([store, method]) => {
    const found = (calls as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[store]?.[method];
    if (found === undefined) throw new Error(`${store}.${method} is not called: add it to the calls of every method.`);
    const name = `${store}.${method}`;
    if (typeof found === 'function') return [{ name, arrange: found as Arrange }];
    return Object.entries(found as Record<string, Arrange>).map(([variant, arrange]) => ({
      name: `${name} ${variant}`,
      arrange,
    }));
  });
}

/** Every method of every store, as the open stores have them. */
function methodsOf(stores: object): [store: string, method: string][] {
  return Object.entries(stores).flatMap(([store, value]) =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value)
          .filter(([, method]) => typeof method === 'function')
          .map(([method]): [string, string] => [store, method]),
  );
}
