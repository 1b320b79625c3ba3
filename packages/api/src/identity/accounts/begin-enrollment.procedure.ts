import type { Challenge } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { userProcedure } from '../../procedure/procedure.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import { challengeHashOf, newChallengeToken, passwordDigestOf } from '../second-factor/challenge-token.ts';
import { creationOptions } from '../second-factor/passkeys.ts';
import { relyingParty } from '../second-factor/relying-party.ts';
import { browserOptions, challengeToken } from '../second-factor/second-factor.wire.ts';
import { otpauthUri, secretOfEnrollment } from '../second-factor/totp.ts';
import type { SessionActor } from '../session/actor.ts';
import { proveCurrentPassword } from './current-password.ts';
import { givenPassword } from './new-password.ts';

const ENROLLMENT_TTL_MS = 600_000; // time to install an app

const input = z.strictObject({ current_password: givenPassword });
const begun = {
  challenge: challengeToken.describe('The challenge to send to `POST /api/auth/second-factors`.'),
  expires_at: z.iso.datetime(),
};

export const begunTotpWire = z.object({
  ...begun,
  secret: z.string().describe('In base32.'),
  otpauth_uri: z.string().describe('The content of a QR code for the app.'),
});
export const begunPasskeyWire = z.object({ ...begun, options: browserOptions });

export const beginTotp = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/second-factors/totp',
      operationId: 'auth-beginTotp',
      tags: ['auth'],
      summary: 'Begin to add an authenticator app',
      description:
        'Answers the secret for the app (RFC 6238: SHA-1, six digits, 30 seconds), also as the address of a QR code. It counts once a code of it has been sent to `POST /api/auth/second-factors`.',
    },
    limit: 'change_account',
    whileEnrolling: true,
    refusals: ['password_wrong', 'account_without_password'],
    example: { body: { current_password: 'correct horse battery' } },
  })
  .input(input)
  .output(begunTotpWire)
  .mutation(async ({ ctx, input }) => {
    const token = newChallengeToken();
    const expires_at = await begin(ctx, token, { password: input.current_password, purpose: 'totp', toSign: null });
    const secret = secretOfEnrollment(ctx.options.sessionSecret, token);
    const { email, id } = ctx.actor.user;
    return { challenge: token, expires_at, secret, otpauth_uri: otpauthUri(secret, email ?? id) };
  });

export const beginPasskey = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/auth/second-factors/passkey',
      operationId: 'auth-beginPasskey',
      tags: ['auth'],
      summary: 'Begin to add a passkey',
      description: 'Answers the options for `navigator.credentials.create()`, as JSON (WebAuthn Level 3).',
    },
    limit: 'change_account',
    whileEnrolling: true,
    refusals: ['password_wrong', 'account_without_password', 'passkeys_unavailable'],
    example: { body: { current_password: 'correct horse battery' } },
  })
  .input(input)
  .output(begunPasskeyWire)
  .mutation(async ({ ctx, input }) => {
    const site = relyingParty(ctx.options);
    if (site === null) throw new AppError('passkeys_unavailable');
    const { user } = ctx.actor;
    const options = await creationOptions(site, user, await ctx.secondFactors.list(user.id));
    const token = newChallengeToken();
    const { challenge: toSign } = options;
    const expires_at = await begin(ctx, token, { password: input.current_password, purpose: 'passkey', toSign });
    return { challenge: token, expires_at, options: { ...options } };
  });

/** @returns when it expires */
async function begin(
  ctx: RequestContext & { readonly actor: SessionActor },
  token: string,
  { password, ...enrollment }: Pick<Challenge, 'purpose' | 'toSign'> & { readonly password: string },
): Promise<string> {
  const { userId, ifPasswordHash, keep } = await proveCurrentPassword(ctx, password);
  const expiresAt = new Date(ctx.clock.now().getTime() + ENROLLMENT_TTL_MS);
  await ctx.secondFactors.begin({
    hash: challengeHashOf(token),
    userId,
    passwordDigest: passwordDigestOf(ifPasswordHash),
    sessionId: keep,
    expiresAt,
    ...enrollment,
  });
  return expiresAt.toISOString();
}
