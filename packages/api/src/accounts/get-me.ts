import { toUserProfileWire, userProfileWire } from '@sluice/core';
import { noInput } from '../input/no-input.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const getMe = userProcedure
  .meta({ openapi: { method: 'GET', path: '/auth/me', tags: ['auth'], summary: 'Who is logged in' } })
  .input(noInput)
  .output(userProfileWire)
  .query(({ ctx }) => toUserProfileWire(ctx.actor.user));
