import { dayBefore, FAILED_LOGIN_DAYS } from '@sluice/core';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const listFailedLogins = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/failed-logins',
      tags: ['auth'],
      summary: 'How many logins failed at your e-mail, by day, newest first',
      description: `Of the last ${FAILED_LOGIN_DAYS} days (UTC), without those on which none failed. Counts are written with a few seconds of delay.`,
    },
  })
  .input(noInput)
  .output(
    z.object({
      items: z.array(z.object({ day: z.iso.date(), count: z.int().min(1) })),
      next_cursor: z.null(),
    }),
  )
  .query(async ({ ctx }) => {
    const since = dayBefore(ctx.clock.now(), FAILED_LOGIN_DAYS - 1);
    return { items: [...(await ctx.users.failedLogins(ctx.actor.user.id, since))], next_cursor: null };
  });
