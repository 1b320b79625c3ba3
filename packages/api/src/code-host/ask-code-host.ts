import { withDeadline } from '@sluice/core/async';
import type { CodeHost, CodeHostCall } from '@sluice/core/code-host';
import { AppError, type ErrorCode } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import type { ApiDeps } from '../service/api-deps.ts';
import { configuredCodeHost } from './configured-code-host.ts';

const ASK_MS = 20_000; // a few calls, one of them perhaps for a new token; people do not wait longer

/** Refusals of routes that call the code host. */
export const codeHostRefusals = [
  'codehost_not_linked',
  'codehost_relink_needed',
  'codehost_not_configured',
  'codehost_forbidden',
  'codehost_not_found',
  'codehost_unavailable',
  'codehost_refused',
  'codehost_busy',
] as const satisfies readonly ErrorCode[];

/** Refusals of routes that find out the current address of a registered repository there: see `currentRepo`. */
export const registeredRepoRefusals = [
  ...codeHostRefusals,
  'repo_nested_group',
  'repo_busy',
  'repo_exists',
  'repo_not_found',
] as const satisfies readonly ErrorCode[];

/** The ports for calls to the code host in a user's name. */
type AskingDeps = Pick<ApiDeps, 'codehost' | 'codehostTokens'>;

/**
 * Calls the code host in the user's name, under a deadline: a host that hangs counts as unreachable.
 *
 * @throws AppError `codehost_not_configured`, `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`, and
 * anything that the call itself throws
 */
export async function askCodeHost<T>(
  deps: AskingDeps,
  asker: { readonly userId: UserId; readonly signal: AbortSignal },
  ask: (host: CodeHost, call: CodeHostCall) => Promise<T>,
): Promise<T> {
  const { host } = configuredCodeHost(deps);
  const { codehostTokens } = deps;
  if (codehostTokens === null) throw new AppError('codehost_not_configured');
  return await withCodeHostDeadline(asker.signal, (signal) =>
    codehostTokens.callAsUser(asker.userId, signal, (call) => ask(host, call)),
  );
}

/** Runs work that calls the code host under the same deadline. */
export async function withCodeHostDeadline<T>(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withDeadline({ ms: ASK_MS, signal, onTimeout }, run);
}

function onTimeout(cause: unknown): AppError {
  const detail = `The code host did not answer within ${ASK_MS / 1_000} seconds.`;
  return new AppError('codehost_unavailable', { detail }, { cause });
}
