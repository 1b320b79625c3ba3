import { preferencesSchema } from '@sluice/core/account';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { userProcedure } from '../../procedure/procedure.ts';

export const getPreferences = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/preferences',
      operationId: 'auth-preferences',
      tags: ['auth'],
      summary: 'Read how you like the console',
      description: 'With the default of each member that you never set.',
    },
  })
  .input(noInput)
  .output(preferencesSchema)
  .query(({ ctx }) => ctx.users.preferences(ctx.actor.user.id));

const change = z
  .strictObject(preferencesSchema.partial().shape)
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    message: 'must name at least one member to change',
  });

export const updatePreferences = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/auth/preferences',
      operationId: 'auth-updatePreferences',
      tags: ['auth'],
      summary: 'Change how you like the console',
      description: 'Absent members stay as they are.',
    },
    example: { body: { theme: 'dark' } },
  })
  .input(change)
  .output(preferencesSchema)
  .mutation(({ ctx, input }) => ctx.users.changePreferences(ctx.actor.user.id, input));
