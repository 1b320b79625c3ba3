import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginGrant, ProviderSession, User } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import * as z from 'zod';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { ProgramReturn } from './flow-tokens.ts';
import type { SignInService } from './sign-in-service.ts';

const GRANT_TTL_MS = 60_000; // the waiting program exchanges it at once

/** Only the hash of a grant is stored. A grant has 256 random bits, so that a fast hash is enough. */
function grantHashOf(grant: string): string {
  return createHash('sha256').update(grant).digest('base64url');
}

/** The user who has signed in, and the service. */
interface SignedIn {
  readonly userId: UserId;
  readonly provider: ProviderSession | null;
}

/** Makes a one-time grant for a user's program. @returns the URL on the user's machine that delivers it */
export async function grantToProgram(ctx: RequestContext, of: SignedIn, program: ProgramReturn): Promise<string> {
  const grant = randomBytes(32).toString('base64url');
  await ctx.signInFlows.putLoginGrant({
    ...of,
    grantHash: grantHashOf(grant),
    challenge: program.challenge,
    expiresAt: new Date(ctx.clock.now().getTime() + GRANT_TTL_MS),
  });
  return programUrl(program, { grant });
}

/** The URL at which a program waits, with its parameters. */
export function programUrl({ port, state }: ProgramReturn, params: Readonly<Record<string, string>>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...params, state })}`;
}

const unguessable = z.string().regex(/^[\w-]{43,128}$/, 'must be 43 to 128 of A-Z, a-z, 0-9, - and _');

/** What a program exchanges for a session. */
export const grantToExchange = {
  grant: unguessable.describe('The grant that the browser delivered to 127.0.0.1.'),
  verifier: unguessable.describe('The secret that `challenge` is the hash of.'),
};

export const grantExample = {
  grant: 'Zk3wq1nB0tY8cRj5Lh2xVdS7uPo4Ea9GmTfKiQy6WbM',
  verifier: 'pN7sXr2Vd9Kc4Hj0Tf6Lw1Bz8Qm5Gy3EaUoRiYtCkWs',
};

/** The service at which a grant was given; `issuer`: of an OpenID provider, null for the code host. */
interface GrantedBy extends Pick<SignInService, 'invalid'> {
  readonly issuer: string | null;
}

/**
 * Takes a grant. One that was given elsewhere opens no session here, which a logout at its provider would not end.
 *
 * @throws AppError the refusal of the service for a grant that is unknown, used or expired, or of another program or service
 */
export async function takeGrant(
  ctx: RequestContext,
  { invalid, issuer }: GrantedBy,
  given: { readonly grant: string; readonly verifier: string },
): Promise<{ readonly user: User; readonly grant: LoginGrant }> {
  const grant = await ctx.signInFlows.takeLoginGrant(grantHashOf(given.grant));
  if (grant === null || !answers(given.verifier, grant.challenge)) throw new AppError(invalid);
  if ((grant.provider?.issuer ?? null) !== issuer) throw new AppError(invalid);
  const user = await ctx.users.get(grant.userId);
  if (user === null) throw new AppError(invalid);
  return { user, grant };
}

function answers(verifier: string, challenge: string): boolean {
  const given = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}
