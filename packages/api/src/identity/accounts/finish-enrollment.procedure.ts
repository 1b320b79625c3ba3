import {
  type Challenge,
  MAX_TOTP_FACTORS,
  type NewPasskey,
  type NewTotp,
  secondFactorWire,
  toSecondFactorWire,
} from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { text } from '../../input/text.ts';
import { userProcedure } from '../../procedure/procedure.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import { attemptChallenge } from '../second-factor/attempt-challenge.ts';
import { challengeHashOf, passwordDigestOf } from '../second-factor/challenge-token.ts';
import { verifiedPasskey } from '../second-factor/passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../second-factor/recovery-codes.ts';
import { relyingParty } from '../second-factor/relying-party.ts';
import { challengeToken, madePasskey } from '../second-factor/second-factor.wire.ts';
import { matchingStep, secretOfEnrollment } from '../second-factor/totp.ts';

export const factorName = text({ min: 1, max: 60, line: true });

const input = z
  .strictObject({
    challenge: challengeToken,
    name: factorName.describe('By which you will know it: the name of the device.'),
    code: text({ min: 1, max: 64, line: true })
      .optional()
      .describe('For an authenticator app: the code that it shows.'),
    credential: madePasskey
      .optional()
      .describe('For a passkey: what the browser made, as `PublicKeyCredential.toJSON()` has it.'),
  })
  .refine(({ code, credential }) => (code === undefined) !== (credential === undefined), {
    message: 'must have either `code` or `credential`',
  });
type Given = z.output<typeof input>;

export const addedFactorWire = z.object({
  second_factor: secondFactorWire,
  recovery_codes: z
    .array(z.string())
    .nullable()
    .describe('Each completes one login in place of a factor. Null unless it is your first factor.'),
});

export const addSecondFactor = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/second-factors',
      operationId: 'auth-addSecondFactor',
      tags: ['auth'],
      summary: 'Add the second factor whose enrollment you began',
      description:
        'From now on it is asked for after your password. Ends your other sessions. With the first factor you get ten recovery codes, which are shown only here.',
    },
    status: 201,
    whileEnrolling: true,
    refusals: ['enrollment_expired', 'second_factors_full', 'passkey_exists'],
    example: {
      body: {
        challenge: 'Zk3wq1nB0tY8cRj5Lh2xVdS7uPo4Ea9GmTfKiQy6WbM',
        name: 'Phone',
        code: '123456',
      },
    },
  })
  .input(input)
  .output(addedFactorWire)
  .mutation(async ({ ctx, input }) => {
    const { user, session } = ctx.actor;
    const challengeHash = challengeHashOf(input.challenge);
    const challenge = await attemptChallenge(ctx, challengeHash, { isCode: false, voidAs: 'enrollment_expired' });
    const hash = await ctx.users.passwordHash(user.id);
    const isOurs = challenge.sessionId === session.id && challenge.userId === user.id;
    if (!isOurs || hash === null || passwordDigestOf(hash) !== challenge.passwordDigest) {
      throw new AppError('enrollment_expired');
    }
    const id = ctx.ids.next();
    const made = await confirmed(ctx, challenge, { ...input, id });
    const codes = newRecoveryCodes();
    const outcome = await ctx.secondFactors.add(
      { ...made, id, userId: user.id, name: input.name },
      {
        userId: user.id,
        ifPasswordHash: hash,
        keep: session.id,
        challengeHash,
        codeHashes: codes.map((code) => recoveryCodeHash(user.id, code)),
      },
      (sessions_ended) =>
        auditEntry(ctx.by, {
          action: 'account.factor_added',
          subjectId: null,
          detail: { kind: made.kind, sessions_ended },
        }),
    );
    if (outcome.kind === 'stale') throw new AppError('enrollment_expired');
    if (outcome.kind === 'taken') throw new AppError('passkey_exists');
    if (outcome.kind === 'full') {
      throw new AppError('second_factors_full', {
        ...(made.kind === 'totp' && {
          detail: `You have as many second factors as one account may have: ten, of them ${MAX_TOTP_FACTORS} authenticator apps. Remove one first.`,
        }),
      });
    }
    for (const ended of outcome.endedSessions) ctx.signals.sessionEnded(ended);
    return {
      second_factor: toSecondFactorWire(outcome.factor),
      recovery_codes: outcome.hasNewCodes ? codes : null,
    };
  });

/** The factor that the client has shown to have. @throws AppError `validation_failed` */
async function confirmed(
  { options, cipher, clock }: RequestContext,
  { purpose, toSign, userId }: Challenge,
  { challenge, code, credential, id }: Given & { readonly id: string },
): Promise<NewTotp | NewPasskey> {
  if (purpose === 'totp' && code !== undefined) {
    const secret = secretOfEnrollment(options.sessionSecret, challenge);
    const step = matchingStep(secret, code, { now: clock.now(), lastStep: 0 });
    if (step === null) throw wrong('code', 'is not the code that the app shows now: check the clock of the device');
    return { kind: 'totp', secret: cipher.encrypt({ kind: 'second_factor', id, userId }, secret), lastStep: step };
  }
  const site = relyingParty(options);
  if (purpose === 'passkey' && credential !== undefined && site !== null && toSign !== null) {
    const passkey = await verifiedPasskey(site, credential, toSign);
    if (passkey === null) throw wrong('credential', 'is not a passkey for this server and this enrollment');
    return passkey;
  }
  throw wrong('challenge', 'is for another kind of second factor');
}

function wrong(path: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The request is not valid. ${path}: ${message}.`,
    errors: [{ path, message }],
  });
}
