import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import type { ProgramReturn } from './flow-tokens.ts';

const GRANT_TTL_MS = 60_000; // the waiting program exchanges it at once

/** Only the hash of a grant is stored. A grant has 256 random bits, so that a fast hash is enough. */
export function grantHashOf(grant: string): string {
  return createHash('sha256').update(grant).digest('base64url');
}

/** Makes a one-time grant for a user's program. @returns the URL on the user's machine that delivers it */
export async function grantToProgram(ctx: RequestContext, userId: UserId, program: ProgramReturn): Promise<string> {
  const grant = randomBytes(32).toString('base64url');
  await ctx.codehostLinks.putLoginGrant({
    grantHash: grantHashOf(grant),
    challenge: program.challenge,
    userId,
    expiresAt: new Date(ctx.clock.now().getTime() + GRANT_TTL_MS),
  });
  return programUrl(program, { grant });
}

/** The URL at which a program waits, with its parameters. */
export function programUrl({ port, state }: ProgramReturn, params: Readonly<Record<string, string>>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...params, state })}`;
}
