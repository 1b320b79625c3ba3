import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { loginWays } from '../sign-in/login-ways.ts';
import { configuredProvider, providerParameter } from './configured-provider.ts';
import { currentGrants } from './finish-oidc-flow.ts';

export const oidcIdentityWire = z.object({
  provider: z.string().describe('The id of the provider.'),
  name: z.string(),
  linked_at: z.iso.datetime().nullable().describe('Null: you have no account there that is linked.'),
  last_sign_in_at: z.iso.datetime().nullable(),
  current: z.boolean().describe('Whether you logged in there for this session.'),
});

export const listOidcIdentities = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/oidc',
      operationId: 'auth-oidcIdentities',
      tags: ['oidc'],
      summary: 'List the OpenID providers, and at which you have a linked account',
      description: 'In the order of the configuration. Empty where none is configured.',
    },
  })
  .input(noInput)
  .output(z.object({ items: z.array(oidcIdentityWire) }))
  .query(async ({ ctx }) => {
    const { user, session } = ctx.actor;
    const linked = new Map((await ctx.oidcIdentities.list(user.id)).map((identity) => [identity.issuer, identity]));
    return {
      items: ctx.oidc.map(({ provider: { id, name, issuer } }) => ({
        provider: id,
        name,
        linked_at: linked.get(issuer)?.linkedAt.toISOString() ?? null,
        last_sign_in_at: linked.get(issuer)?.lastSignInAt.toISOString() ?? null,
        current: session.oidcIssuer === issuer,
      })),
    };
  });

export const unlinkOidc = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/auth/oidc/{provider}',
      operationId: 'auth-unlinkOidc',
      tags: ['oidc'],
      summary: 'Unlink your account at an OpenID provider',
      description:
        'Takes the roles that its groups gave. 409 where no account is linked, and where you could not log in without it.',
    },
    status: 204,
    refusals: ['oidc_provider_not_found', 'oidc_not_linked', 'oidc_only_login'],
  })
  .input(z.strictObject({ provider: providerParameter }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const configured = configuredProvider(ctx, input.provider);
    const { id, issuer } = configured.provider;
    const { id: userId } = ctx.actor.user;
    const unlinked = auditEntry(ctx.by, {
      action: 'account.identity_unlinked',
      subjectId: null,
      detail: { provider: id },
    });
    const left = { others: loginWays(ctx), grants: currentGrants(ctx, configured, []) };
    const outcome = await ctx.oidcIdentities.unlink({ userId, issuer }, left, unlinked);
    if (outcome === 'not_linked') throw new AppError('oidc_not_linked');
    if (outcome === 'only_login') throw new AppError('oidc_only_login');
    ctx.signals.accessChanged(userId);
  });
