import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import type { ProgramReturn } from './flow-tokens.ts';

const GRANT_TTL_MS = 60_000; // the program waits for it, and trades it at once

/** What is kept of a grant. It is 256 random bits, so nothing slower is needed. */
export function grantHashOf(grant: string): string {
  return createHash('sha256').update(grant).digest('base64url');
}

/** Makes a one-time grant for a user's program. @returns where the browser brings it: to the user's own machine */
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

/** Where a program waits, with what it is told. */
export function programUrl({ port, state }: ProgramReturn, told: Readonly<Record<string, string>>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...told, state })}`;
}
