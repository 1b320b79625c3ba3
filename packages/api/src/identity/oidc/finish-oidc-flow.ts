import type { User } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import type { RepoId, UserId } from '@sluice/core/id';
import { type GroupGrants, grantsOf, mayEnter, type OidcAccount, type OidcSignIn } from '@sluice/core/oidc';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { ConfiguredOidcProvider } from '../../service/api-deps.ts';
import { type Actor, initiatorOf } from '../session/actor.ts';
import { startSession } from '../session/start-session.ts';
import type { TakenFlow } from '../sign-in/answer-callback.ts';
import { grantToProgram } from '../sign-in/login-grant.ts';
import { oidcCallbackUrl } from './configured-provider.ts';

const NO_GRANTS: Pick<GroupGrants, 'isOperator' | 'roles'> = { isOperator: false, roles: new Map() };

/** An account that has just signed in, and what its groups give it. */
interface SignedIn {
  readonly configured: ConfiguredOidcProvider;
  readonly account: OidcAccount;
  readonly grants: GroupGrants;
}

/**
 * Ends a sign-in at a provider, for a browser or for a program.
 *
 * @returns the URL to send the browser to
 * @throws AppError `oidc_denied`, `oidc_token_invalid`, `oidc_group_required`, `registration_closed`, `oidc_account_taken`, …
 */
export async function finishOidcFlow(
  ctx: RequestContext,
  configured: ConfiguredOidcProvider,
  { state, secret, actor }: TakenFlow,
): Promise<string> {
  const { provider, rules } = configured;
  const { account, groups, sid } = await provider.exchange({
    callback: ctx.head.query,
    state: ctx.head.query.get('state') ?? '',
    nonce: state.nonce,
    codeVerifier: secret.verifier,
    redirectUri: oidcCallbackUrl(ctx.options, provider.id),
    signal: ctx.signal,
  });
  const signedIn = { configured, account, grants: currentGrants(ctx, configured, groups) };
  if (!mayEnter(rules, groups)) return await refuse(ctx, signedIn);
  if (actor !== null && state.sessionId !== null) return await link(ctx, actor, signedIn);
  const user = await signIn(ctx, signedIn);
  // The flow began without a session and now there is one: a second tab logged in to the same account first. Another user's
  // session is never replaced.
  if (actor !== null) {
    if (actor.user.id !== user.id) throw new AppError('oidc_state_invalid');
    return '/issues';
  }
  const session = { issuer: provider.issuer, sid };
  if (secret.program !== null) return await grantToProgram(ctx, { userId: user.id, provider: session }, secret.program);
  await startSession(ctx, user, { by: 'oidc', provider: session });
  return '/issues';
}

/** The grants of these groups at this provider. */
export function currentGrants(
  { oidc }: Pick<RequestContext, 'oidc'>,
  configured: ConfiguredOidcProvider,
  groups: OidcSignIn['groups'],
): GroupGrants {
  const others = oidc.filter((one) => one !== configured).map(({ rules }) => rules);
  return grantsOf(configured.rules, groups, others);
}

/** A user who has left the groups keeps their account, but nothing that the groups gave. */
async function refuse(ctx: RequestContext, { account, grants }: SignedIn): Promise<never> {
  const outcome = await ctx.oidcIdentities.signIn(account, { ...grants, ...NO_GRANTS }, null);
  if (outcome.kind === 'matched' && outcome.accessChanged) ctx.signals.accessChanged(outcome.user.id);
  throw new AppError('oidc_group_required');
}

async function link(ctx: RequestContext, actor: Actor, { configured, account, grants }: SignedIn): Promise<string> {
  const { id } = configured.provider;
  const audit = auditEntry(initiatorOf(actor), {
    action: 'account.identity_linked',
    subjectId: null,
    detail: { provider: id },
  });
  const outcome = await ctx.oidcIdentities.link(actor.user.id, account, { grants, audit });
  if (outcome.kind === 'taken') throw new AppError('oidc_account_taken');
  if (outcome.kind === 'linked_to_another') throw new AppError('oidc_linked_to_another');
  if (outcome.kind === 'absent') throw new AppError('session_missing');
  noteGrants(ctx, configured, outcome);
  return `/settings?linked=${id}`;
}

async function signIn(ctx: RequestContext, { configured, account, grants }: SignedIn): Promise<User> {
  const { registration } = ctx.options;
  const { allowedGroups, operatorGroups } = configured.rules;
  const id = ctx.ids.next() as UserId;
  // Where groups say who may enter, they say who gets an account too.
  const isOpen = registration === 'open' || allowedGroups !== null;
  const newUser = {
    id,
    onlyIfFirst: !isOpen,
    firstIsOperator: operatorGroups.length === 0,
    audit: {
      userId: id,
      actor: { kind: 'user', sessionId: null },
      act: { action: 'account.registered', subjectId: null, detail: { by: 'oidc' } },
    },
  } as const;
  const mayCreate = isOpen || registration !== 'closed';
  const outcome = await ctx.oidcIdentities.signIn(account, grants, mayCreate ? newUser : null);
  if (outcome.kind === 'closed') throw new AppError('registration_closed');
  if (outcome.kind === 'disabled') throw new AppError('account_disabled');
  noteGrants(ctx, configured, outcome);
  return outcome.user;
}

interface Granted {
  readonly user: User;
  readonly ungranted: readonly RepoId[];
  readonly accessChanged: boolean;
}

function noteGrants(ctx: RequestContext, { provider }: ConfiguredOidcProvider, granted: Granted): void {
  const { user, ungranted, accessChanged } = granted;
  if (accessChanged) ctx.signals.accessChanged(user.id);
  if (ungranted.length === 0) return;
  const fields = { request_id: ctx.requestId, provider: provider.id, user_id: user.id, repos: ungranted };
  ctx.log.warn(fields, 'groups of a provider give roles in repositories that are not there or full');
}
