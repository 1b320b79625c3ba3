import { dayBefore, FAILED_LOGIN_DAYS } from '@sluice/core/account';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../../input/page-query.ts';
import { userProcedure } from '../../procedure/procedure.ts';

export const failedLoginsWire = z.object({ day: z.iso.date(), count: z.int().min(1) });

export const listFailedLogins = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/failed-logins',
      operationId: 'auth-failedLogins',
      tags: ['auth'],
      summary: 'List the failed logins with your e-mail by day, newest first',
      description: `Covers the last ${FAILED_LOGIN_DAYS} days (UTC) and leaves out days without failures. Counts appear with a delay of a few seconds.`,
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(failedLoginsWire))
  .query(async ({ ctx, input }) => {
    const since = dayBefore(ctx.clock.now(), FAILED_LOGIN_DAYS - 1);
    const page = await ctx.users.failedLogins(ctx.actor.user.id, since, toPageRequest(input ?? {}));
    return toPageWire(page, (one) => one);
  });
