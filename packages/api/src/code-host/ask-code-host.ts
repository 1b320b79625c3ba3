import { AppError, type CodeHost, type CodeHostCall, type UserId } from '@sluice/core';
import { answeredWithin } from '../deadline/answered-within.ts';
import type { ApiDeps } from '../service/api-deps.ts';
import { configuredCodeHost } from './configured-code-host.ts';

const ASK_MS = 20_000; // a few calls, one of them perhaps for a new token; who waits longer has gone to the host's own page

/** Refusals of routes that ask the code host: not linked, the host failing, and the host asking to be left in peace. */
export const codehostRefusals = [409, 502, 503] as const;

/** What asks the code host in somebody's name. */
type AskingDeps = Pick<ApiDeps, 'codehost' | 'codehostTokens'>;

/**
 * Asks the code host in the user's name, under a deadline: a host that hangs is one that cannot be reached.
 *
 * @throws AppError `codehost_not_configured`, `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`, and
 * what the call itself throws
 */
export async function askCodeHost<T>(
  deps: AskingDeps,
  asker: { readonly userId: UserId; readonly signal: AbortSignal },
  ask: (host: CodeHost, call: CodeHostCall) => Promise<T>,
): Promise<T> {
  const { host } = configuredCodeHost(deps);
  const { codehostTokens } = deps;
  if (codehostTokens === null) throw new AppError('codehost_not_configured');
  return await withinPatience(asker.signal, (signal) =>
    codehostTokens.callAsUser(asker.userId, signal, (call) => ask(host, call)),
  );
}

/** Runs what asks the code host, under the same deadline. */
export async function withinPatience<T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return await answeredWithin({ ms: ASK_MS, signal, late }, run);
}

function late(cause: unknown): AppError {
  const detail = `The code host did not answer within ${ASK_MS / 1_000} seconds.`;
  return new AppError('codehost_unavailable', { detail }, { cause });
}
