import { auditEntry } from '@sluice/core/audit';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { endedCookie } from '../session/session-cookie.ts';

export const logout = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/logout',
      tags: ['auth'],
      summary: 'Log out',
      description: 'Ends the session on the server and closes its streams.',
    },
    status: 204,
    limit: 'none',
    whileEnrolling: true,
    headers: { 'Set-Cookie': 'Removes the session cookie.' },
  })
  .input(noInput)
  .output(z.void())
  .mutation(async ({ ctx }) => {
    const { id } = ctx.actor.session;
    await ctx.sessions.revoke(id, auditEntry(ctx.by, { action: 'session.closed', subjectId: id, detail: {} }));
    ctx.signals.sessionEnded(id);
    ctx.appendHeader('Set-Cookie', endedCookie(ctx.options));
  });
