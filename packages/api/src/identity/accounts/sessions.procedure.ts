import { sessionWire, toSessionWire } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import { isId, type SessionId } from '@sluice/core/id';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../../input/page-query.ts';
import { resourceId } from '../../input/resource-id.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { endedCookie } from '../session/session-cookie.ts';

export const revokeSession = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/auth/sessions/{id}',
      operationId: 'auth-revokeSession',
      tags: ['auth'],
      summary: 'End one of your sessions',
      description: 'Its next request is refused and its streams are closed. Ending your current session is a logout.',
    },
    status: 204,
    limit: 'none',
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const id = input.id as SessionId;
    const found = isId(id) ? await ctx.sessions.find(id) : null;
    if (found === null) throw new AppError('session_not_found');
    if (found.user.id !== ctx.actor.user.id) {
      throw new AppError('not_owner', { detail: 'This session belongs to another user.' });
    }
    const revoked = auditEntry(ctx.by, { action: 'session.revoked', subjectId: id, detail: {} });
    if (!(await ctx.sessions.revoke(id, revoked))) throw new AppError('session_not_found');
    ctx.signals.sessionEnded(id);
    if (id === ctx.actor.session.id) ctx.appendHeader('Set-Cookie', endedCookie(ctx.options));
  });

export const listSessions = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/sessions',
      operationId: 'auth-sessions',
      tags: ['auth'],
      summary: 'List your sessions, newest first',
      description:
        'Lists live sessions. The server keeps the name of a client, but neither its address nor its version.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(sessionWire))
  .query(async ({ ctx, input }) => {
    const { user, session } = ctx.actor;
    const page = await ctx.sessions.list(user.id, toPageRequest(input ?? {}));
    return toPageWire(page, (one) => toSessionWire(one, session.id));
  });
