import { secondFactorWire, toSecondFactorWire } from '@sluice/core/account';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { relyingParty } from '../second-factor/relying-party.ts';

export const secondFactorsWire = z.object({
  items: z.array(secondFactorWire),
  recovery_codes_left: z.int().describe('Each completes one login in place of a factor.'),
  required: z.boolean().describe('Whether this server requires a second factor of accounts with a password.'),
  must_enroll: z
    .boolean()
    .describe('Whether this session may do nothing else before you have enrolled a second factor.'),
  passkey_origin: z
    .string()
    .nullable()
    .describe('The origin of the pages that can use passkeys; null where this server has no host name for them.'),
});

export const listSecondFactors = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/second-factors',
      operationId: 'auth-secondFactors',
      tags: ['auth'],
      summary: 'List your second factors, oldest first',
      description: 'They are asked for after your password. Keys and secrets are never shown.',
    },
    whileEnrolling: true,
  })
  .input(noInput)
  .output(secondFactorsWire)
  .query(async ({ ctx }) => {
    const { user, session } = ctx.actor;
    const items = (await ctx.secondFactors.list(user.id)).map(toSecondFactorWire);
    const required = ctx.options.secondFactor === 'required';
    return {
      items,
      recovery_codes_left: await ctx.secondFactors.recoveryCodesLeft(user.id),
      required,
      must_enroll: required && session.mustEnroll,
      passkey_origin: relyingParty(ctx.options)?.origin ?? null,
    };
  });
