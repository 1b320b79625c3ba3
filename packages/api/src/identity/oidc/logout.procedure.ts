import { auditEntry } from '@sluice/core/audit';
import * as z from 'zod';
import { userProcedure } from '../../procedure/procedure.ts';
import { endedCookie } from '../session/session-cookie.ts';
import { configuredProvider, providerParameter } from './configured-provider.ts';

export const logoutAtOidc = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/oidc/{provider}/logout',
      operationId: 'auth-logoutAtOidc',
      tags: ['oidc'],
      summary: 'Log out here, and learn where to log out at the provider',
      description:
        'Ends the session on the server, closes its streams, and gives the page of the provider that ends its own session; from there the browser returns to `/login`.',
    },
    limit: 'none',
    headers: { 'Set-Cookie': 'Removes the session cookie.' },
    refusals: ['oidc_provider_not_found'],
  })
  .input(z.strictObject({ provider: providerParameter }))
  .output(
    z.object({
      end_session_url: z
        .url()
        .nullable()
        .describe('Null where the provider has no such page, or does not answer now: you are logged out here only.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { provider } = configuredProvider(ctx, input.provider);
    const { id } = ctx.actor.session;
    await ctx.sessions.revoke(id, auditEntry(ctx.by, { action: 'session.closed', subjectId: id, detail: {} }));
    ctx.signals.sessionEnded(id);
    ctx.appendHeader('Set-Cookie', endedCookie(ctx.options));
    return { end_session_url: await endSessionUrl() };

    async function endSessionUrl(): Promise<string | null> {
      try {
        return await provider.endSessionUrl(`${ctx.options.publicUrl.origin}/login`, ctx.signal);
      } catch (error) {
        ctx.log.warn({ request_id: ctx.requestId, err: error }, `the logout page of ${provider.name} is not known`);
        return null;
      }
    }
  });
