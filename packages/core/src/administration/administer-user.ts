import type { SecondFactorStore } from '../account/second-factor-store.ts';
import type { SessionStore } from '../account/session-store.ts';
import type { UserAccount, UserStore } from '../account/user-store.ts';
import type { ListedToken } from '../api-token/api-token.ts';
import type { ApiTokenStore } from '../api-token/api-token-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type ApiTokenId, isId, type SessionId, type UserId } from '../id/id.ts';
import { cancelIssuesOf } from '../issue/cancel-issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import type { Page } from '../request/page.ts';

/** The operator who acts: on the machine itself, or in a session or with an API token of their own. */
export type ActingOperator = 'on_the_machine' | Initiator;

/** Closes the streams of sessions and API tokens that have ended, on every process. */
type TellEnded = (ended: readonly string[]) => void | Promise<void>;

interface Ended {
  readonly endedSessions: readonly SessionId[];
}

/** Whose list of the audit log the entry is in, and the part of its detail that names the operator. */
function operatorEntry(by: ActingOperator, userId: UserId): { initiator: Initiator; who: { by?: UserId } } {
  if (by === 'on_the_machine') return { initiator: { userId, actor: { kind: 'operator' } }, who: {} };
  const { actor } = by;
  const session = actor.kind === 'user' ? { sessionId: actor.sessionId, tokenId: actor.tokenId ?? null } : {};
  return { initiator: { userId, actor: { kind: 'operator', ...session } }, who: { by: by.userId } };
}

/** An operator who disables themselves, or gives up the right, would need another one to undo it. @throws AppError `own_account` */
function requireOther(by: ActingOperator, account: UserAccount): void {
  if (isOwn(by, account)) throw new AppError('own_account');
}

function isOwn(by: ActingOperator, { user }: UserAccount): boolean {
  return by !== 'on_the_machine' && by.userId === user.id;
}

interface DisableContext {
  readonly users: Pick<UserStore, 'disable'>;
  readonly apiTokens: Pick<ApiTokenStore, 'list'>;
  readonly issues: IssueStore;
}

interface DisableRequest {
  readonly by: ActingOperator;
  /** Keep the user's issues: each continues to its end, or to a decision that the user can no longer make. */
  readonly keepIssues: boolean;
  /** Even if no operator could log in then. */
  readonly evenLastOperator: boolean;
  readonly tellEnded: TellEnded;
}

/**
 * Disables a user: ends their sessions, prevents new ones, refuses their API tokens, and cancels their issues that have not ended.
 * Can be repeated if it was interrupted.
 *
 * @throws AppError `last_operator`, `own_account`
 */
export async function disableUser(
  context: DisableContext,
  account: UserAccount,
  { by, keepIssues, evenLastOperator, tellEnded }: DisableRequest,
): Promise<Ended & { readonly issuesCancelled: number }> {
  requireOther(by, account);
  const { id } = account.user;
  const { initiator, who } = operatorEntry(by, id);
  // Disabled first, so that no new work starts; the user's streams end before the first issue is cancelled.
  const outcome = await context.users.disable(id, { evenLastOperator }, (sessions_ended) =>
    auditEntry(initiator, { action: 'account.disabled', subjectId: null, detail: { sessions_ended, ...who } }),
  );
  if (outcome.kind === 'last_operator') throw new AppError('last_operator');
  const { endedSessions } = outcome;
  await tellEnded([...endedSessions, ...(await tokensOf(context, id))]);
  const issuesCancelled = keepIssues ? 0 : await cancelIssuesOf(context, id, { by: initiator });
  return { endedSessions, issuesCancelled };
}

/** The ids of a user's API tokens, whose streams end with the user. */
async function tokensOf({ apiTokens }: Pick<DisableContext, 'apiTokens'>, userId: UserId): Promise<ApiTokenId[]> {
  const ids: ApiTokenId[] = [];
  // All of them: one that can be used may be older than many that have expired.
  for (let cursor: string | null = null; ; ) {
    const { items, nextCursor }: Page<ListedToken> = await apiTokens.list({ userId }, { limit: 100, cursor });
    ids.push(...items.map(({ token }) => token.id));
    if (nextCursor === null) return ids;
    cursor = nextCursor;
  }
}

/** Allows a disabled user to log in again. What was cancelled stays cancelled. */
export async function enableUser(
  { users }: { readonly users: Pick<UserStore, 'enable'> },
  { user: { id } }: UserAccount,
  by: ActingOperator,
): Promise<void> {
  const { initiator, who } = operatorEntry(by, id);
  await users.enable(id, auditEntry(initiator, { action: 'account.enabled', subjectId: null, detail: who }));
}

/**
 * Makes a user an operator, or an operator an ordinary user.
 *
 * @throws AppError `last_operator` when no other operator could log in; `own_account`
 */
export async function setOperator(
  { users }: { readonly users: Pick<UserStore, 'grantOperator' | 'revokeOperator'> },
  account: UserAccount,
  { isOperator, by }: { readonly isOperator: boolean; readonly by: ActingOperator },
): Promise<void> {
  const { id } = account.user;
  const { initiator, who } = operatorEntry(by, id);
  const entry = (action: 'account.operator_granted' | 'account.operator_revoked') =>
    auditEntry(initiator, { action, subjectId: null, detail: who });
  if (isOperator) return await users.grantOperator(id, entry('account.operator_granted'));
  requireOther(by, account);
  const { kind } = await users.revokeOperator(id, entry('account.operator_revoked'));
  if (kind === 'last_operator') throw new AppError('last_operator');
}

interface EndRequest {
  readonly by: ActingOperator;
  readonly tellEnded: TellEnded;
}

/** Ends all sessions of a user, who can log in again. @returns the sessions that it ended */
export async function endSessionsOf(
  { sessions }: { readonly sessions: Pick<SessionStore, 'revokeAll'> },
  { user: { id } }: UserAccount,
  { by, tellEnded }: EndRequest,
): Promise<readonly SessionId[]> {
  const { initiator, who } = operatorEntry(by, id);
  const ended = await sessions.revokeAll(id, (sessions_ended) =>
    auditEntry(initiator, { action: 'account.sessions_ended', subjectId: null, detail: { sessions_ended, ...who } }),
  );
  await tellEnded(ended);
  return ended;
}

/**
 * Removes all second factors and recovery codes of a user, and ends their sessions. Operators remove their own ones as everybody
 * does, with their password: an open browser is not enough.
 *
 * @returns the sessions that it ended
 * @throws AppError `own_account`
 */
export async function removeSecondFactorsOf(
  { secondFactors }: { readonly secondFactors: Pick<SecondFactorStore, 'removeAll'> },
  account: UserAccount,
  { by, tellEnded }: EndRequest,
): Promise<readonly SessionId[]> {
  const { id } = account.user;
  if (isOwn(by, account)) {
    const detail = 'This is your own account. Remove its second factors in your settings, with your password.';
    throw new AppError('own_account', { detail });
  }
  const { initiator, who } = operatorEntry(by, id);
  const ended = await secondFactors.removeAll(id, (sessions_ended) =>
    auditEntry(initiator, { action: 'account.factors_removed', subjectId: null, detail: { sessions_ended, ...who } }),
  );
  await tellEnded(ended);
  return ended;
}

/**
 * Ends an API token of any user.
 *
 * @param request `owner`: the user whose it has to be; left out: anybody's
 * @returns its owner's name; null when there is no such token that could be used
 */
export async function revokeTokenOf(
  { apiTokens }: { readonly apiTokens: Pick<ApiTokenStore, 'find' | 'revoke'> },
  tokenId: string,
  { by, tellEnded, owner }: EndRequest & { readonly owner?: UserId },
): Promise<{ readonly user: string } | null> {
  const found = isId(tokenId) ? await apiTokens.find({ id: tokenId as ApiTokenId }) : null;
  if (found === null || (owner !== undefined && found.user.id !== owner)) return null;
  const { token, user } = found;
  const { initiator, who } = operatorEntry(by, user.id);
  const detail = { owner_id: user.id, ...who };
  const audit = auditEntry(initiator, { action: 'token.revoked', subjectId: token.id, detail });
  if (!(await apiTokens.revoke(token.id, audit))) return null;
  await tellEnded([token.id]);
  return { user: user.email ?? user.codehostLogin ?? user.id };
}
