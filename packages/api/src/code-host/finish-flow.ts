import type { EncryptedToken, User } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { accessTokenOf, type CodeHostAccount, type CodeHostGrant, encryptGrant } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { type Actor, initiatorOf } from '../identity/session/actor.ts';
import { startSession } from '../identity/session/start-session.ts';
import type { TakenFlow } from '../identity/sign-in/answer-callback.ts';
import { grantToProgram } from '../identity/sign-in/login-grant.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { callbackUrl } from './callback-url.ts';
import { configuredCodeHost } from './configured-code-host.ts';
import { revokeToken } from './revoke-token.ts';

/**
 * Ends a sign-in, for a browser or for a program.
 *
 * @returns the URL to send the browser to
 * @throws AppError `codehost_state_invalid`, `codehost_denied`, `codehost_account_taken`, `registration_closed`, …
 */
export async function finishFlow(ctx: RequestContext, { state, secret, actor }: TakenFlow): Promise<string> {
  const { identity } = configuredCodeHost(ctx);
  const { account, grant } = await identity.exchange({
    callback: ctx.head.query,
    state: ctx.head.query.get('state') ?? '',
    codeVerifier: secret.verifier,
    redirectUri: callbackUrl(ctx.options),
    signal: ctx.signal,
  });
  const unneeded = () => revokeToken(ctx, identity, grant.accessToken);
  if (actor !== null && state.sessionId === null) {
    await unneeded();
    return staying(actor.user, account);
  }
  const unkept = async (error: unknown): Promise<never> => {
    await unneeded();
    throw error;
  };
  if (actor !== null) return await link(ctx, actor, { account, grant }).catch(unkept);
  const user = await signIn(ctx, { account, grant }).catch(unkept);
  // The token is stored now: a later failure leaves it valid for the next sign-in and for running issues.
  if (secret.program !== null) return await grantToProgram(ctx, { userId: user.id, provider: null }, secret.program);
  await startSession(ctx, user, { by: 'codehost' });
  return '/issues';
}

interface SignedIn {
  readonly account: CodeHostAccount;
  readonly grant: CodeHostGrant;
}

async function link(ctx: RequestContext, actor: Actor, { account, grant }: SignedIn): Promise<string> {
  const { user } = actor;
  const detail = { codehost_login: account.login };
  const audit = auditEntry(initiatorOf(actor), { action: 'account.linked', subjectId: null, detail });
  const replaced = (await ctx.codehostLinks.grant(user.id))?.encryptedToken ?? null;
  const encryptedToken = { ...encryptGrant(ctx.cipher, user.id, { ...grant, replaced }), audit };
  const outcome = await ctx.codehostLinks.link(user.id, account, encryptedToken);
  const { kind } = outcome;
  if (kind === 'taken') throw new AppError('codehost_account_taken');
  if (kind === 'linked_to_another') throw new AppError('codehost_linked_to_another');
  if (kind === 'absent') throw new AppError('session_missing');
  await revokeReplaced(ctx, outcome, grant);
  return '/settings?linked=codehost';
}

/**
 * The flow began without a session and now there is one: a second tab logged in to the same account first. Another user's
 * session is never replaced.
 */
function staying(user: User, account: CodeHostAccount): string {
  if (user.codehostId !== account.id) throw new AppError('codehost_state_invalid');
  return '/issues';
}

async function signIn(ctx: RequestContext, { account, grant }: SignedIn): Promise<User> {
  const { registration } = ctx.options;
  const id = ctx.ids.next() as UserId;
  const newUser = {
    id,
    onlyIfFirst: registration !== 'open',
    audit: {
      userId: id,
      actor: { kind: 'user', sessionId: null },
      act: { action: 'account.registered', subjectId: null, detail: { by: 'codehost' } },
    },
  } as const;
  const encryptedToken = (userId: UserId, replaced: EncryptedToken | null) =>
    encryptGrant(ctx.cipher, userId, { ...grant, replaced });
  const outcome = await ctx.codehostLinks.signIn(account, encryptedToken, registration === 'closed' ? null : newUser);
  if (outcome.kind === 'closed') throw new AppError('registration_closed');
  if (outcome.kind === 'disabled') throw new AppError('account_disabled');
  await revokeReplaced(ctx, outcome, grant);
  return outcome.user;
}

/** A replaced token must not stay valid at the code host, unless the host has issued the same one again. */
async function revokeReplaced(
  ctx: RequestContext,
  { user, replaced }: { readonly user: User; readonly replaced: EncryptedToken | null },
  { accessToken }: CodeHostGrant,
): Promise<void> {
  const before = replaced === null ? null : accessTokenOf(ctx.cipher, user.id, replaced);
  if (before !== null && before !== accessToken) await revokeToken(ctx, configuredCodeHost(ctx).identity, before);
}
