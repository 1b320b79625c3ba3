import { secondFactorWire, toSecondFactorWire } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import { isId } from '@sluice/core/id';
import * as z from 'zod';
import { resourceId } from '../../input/resource-id.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../second-factor/recovery-codes.ts';
import { proveCurrentPassword } from './current-password.ts';
import { factorName } from './finish-enrollment.procedure.ts';
import { givenPassword } from './new-password.ts';

export const renameSecondFactor = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/auth/second-factors/{id}',
      operationId: 'auth-renameSecondFactor',
      tags: ['auth'],
      summary: 'Rename one of your second factors',
      description: 'Needs the current password, as every change of second factors does.',
    },
    limit: 'change_account',
    refusals: ['password_wrong', 'second_factor_not_found', 'account_without_password'],
    example: { body: { name: 'Old phone', current_password: 'correct horse battery' } },
  })
  .input(z.strictObject({ id: resourceId, name: factorName, current_password: givenPassword }))
  .output(secondFactorWire)
  .mutation(async ({ ctx, input }) => {
    const { id, name, current_password } = input;
    const { userId } = await proveCurrentPassword(ctx, current_password);
    const renamed = auditEntry(ctx.by, { action: 'account.factor_renamed', subjectId: null, detail: {} });
    const factor = isId(id) ? await ctx.secondFactors.rename(userId, { id, name }, renamed) : null;
    if (factor === null) throw new AppError('second_factor_not_found');
    return toSecondFactorWire(factor);
  });

export const removeSecondFactor = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/second-factors/{id}/remove',
      operationId: 'auth-removeSecondFactor',
      tags: ['auth'],
      summary: 'Remove one of your second factors',
      description:
        'Ends your other sessions. With the last one the recovery codes go too, and the password alone logs in again; where the server requires a second factor, the last one cannot be removed. Not a DELETE, because it needs the current password in its body.',
    },
    status: 204,
    limit: 'change_account',
    refusals: ['password_wrong', 'second_factor_not_found', 'second_factor_last', 'account_without_password'],
    example: { body: { current_password: 'correct horse battery' } },
  })
  .input(z.strictObject({ id: resourceId, current_password: givenPassword }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => {
    const change = await proveCurrentPassword(ctx, input.current_password);
    const keepLast = ctx.options.secondFactor === 'required';
    const outcome = await ctx.secondFactors.remove(input.id, { ...change, keepLast }, (sessions_ended) =>
      auditEntry(ctx.by, { action: 'account.factor_removed', subjectId: null, detail: { sessions_ended } }),
    );
    if (outcome.kind === 'stale') throw new AppError('password_wrong');
    if (outcome.kind === 'absent') throw new AppError('second_factor_not_found');
    if (outcome.kind === 'last') throw new AppError('second_factor_last');
    for (const ended of outcome.endedSessions) ctx.signals.sessionEnded(ended);
  });

export const recoveryCodesWire = z.object({ recovery_codes: z.array(z.string()) });

export const replaceRecoveryCodes = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/second-factors/recovery-codes',
      operationId: 'auth-replaceRecoveryCodes',
      tags: ['auth'],
      summary: 'Replace your recovery codes',
      description:
        'Answers ten new ones, which are shown only here; the ones before stop working. Ends your other sessions.',
    },
    limit: 'change_account',
    refusals: ['password_wrong', 'second_factor_absent', 'account_without_password'],
    example: { body: { current_password: 'correct horse battery' } },
  })
  .input(z.strictObject({ current_password: givenPassword }))
  .output(recoveryCodesWire)
  .mutation(async ({ ctx, input }) => {
    const change = await proveCurrentPassword(ctx, input.current_password);
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(change.userId, code));
    const outcome = await ctx.secondFactors.replaceRecoveryCodes(hashes, change, (sessions_ended) =>
      auditEntry(ctx.by, { action: 'account.recovery_codes_replaced', subjectId: null, detail: { sessions_ended } }),
    );
    if (outcome.kind === 'stale') throw new AppError('password_wrong');
    if (outcome.kind === 'absent') throw new AppError('second_factor_absent');
    for (const ended of outcome.endedSessions) ctx.signals.sessionEnded(ended);
    return { recovery_codes: codes };
  });
