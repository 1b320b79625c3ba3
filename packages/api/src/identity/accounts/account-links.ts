import { createHash, randomBytes } from 'node:crypto';
import { type AccountLinkPurpose, accountLinkMinutes, linkEnd, type User } from '@sluice/core/account';
import * as z from 'zod';
import type { RequestContext } from '../../procedure/request-context.ts';

type LinkContext = Pick<RequestContext, 'accountLinks' | 'accountMails' | 'clock' | 'options'>;

const pages = { password_reset: '/reset-password', email_verification: '/verify-email' } as const;

/** 256 random bits, so that a fast hash is enough. */
const TOKEN_BYTES = 32;

/** The secret of a link. */
export const linkToken = z
  .string()
  .min(1)
  .max(200)
  .describe('What stands behind `#token=` in the link.')
  .meta({ examples: ['gq0dQ3Zc1w0S8m4m6Yb7oX0v2yqk3yq1d8cF5J4uWvE'] });

/** The hash that is stored of a link's secret. The secret itself is not stored. */
export function linkHashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * Makes a link and sends it to the address of the account, unless that has got as many as it may. The secret is in the fragment
 * of the address, which browsers send to no server.
 */
export async function sendLink(ctx: LinkContext, user: User, purpose: AccountLinkPurpose): Promise<void> {
  const { id: userId, email } = user;
  if (email === null) return;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = linkEnd(purpose, ctx.clock.now());
  const isPut = await ctx.accountLinks.put({ tokenHash: linkHashOf(token), purpose, userId, email, expiresAt });
  if (!isPut) return;
  const url = new URL(`${pages[purpose]}#token=${token}`, ctx.options.publicUrl).href;
  const minutes = accountLinkMinutes[purpose];
  const mail =
    purpose === 'password_reset'
      ? ({ kind: purpose, url, minutes } as const)
      : ({ kind: purpose, url, hours: minutes / 60 } as const);
  ctx.accountMails.send(email, mail);
}

/** The page on which users look after their account. */
export function settingsUrl({ options }: Pick<RequestContext, 'options'>): string {
  return new URL('/settings', options.publicUrl).href;
}
