import { sessionWire, toSessionWire } from '@sluice/core';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const listSessions = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/sessions',
      tags: ['auth'],
      summary: 'Where you are logged in, newest first',
      description: 'The sessions that are live. Of a client its name is kept, and neither its address nor its version.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(sessionWire))
  .query(async ({ ctx, input }) => {
    const { user, session } = ctx.actor;
    const page = await ctx.sessions.list(user.id, toPageRequest(input ?? {}));
    return toPageWire(page, (one) => toSessionWire(one, session.id));
  });
