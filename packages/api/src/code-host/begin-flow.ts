import { createHash, randomBytes } from 'node:crypto';
import type { SessionId } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { callbackUrl } from './callback-url.ts';
import { configuredCodeHost } from './configured-code-host.ts';
import { endedEarlierFlows, flowCookie } from './flow-cookie.ts';
import { createFlowTokens, FLOW_TTL_MS, type ProgramReturn } from './flow-tokens.ts';

/** What a sign-in is for. */
export type FlowStart =
  | { readonly purpose: 'browser'; readonly sessionId: SessionId | null }
  | { readonly purpose: 'program'; readonly program: ProgramReturn };

/**
 * Begins a sign-in at the code host. The browser keeps one half of it in a cookie; the other travels in the URL.
 *
 * @returns the URL to send the browser to
 * @throws AppError `codehost_not_configured`
 */
export async function beginFlow(ctx: RequestContext, start: FlowStart): Promise<string> {
  const { identity } = configuredCodeHost(ctx);
  const tokens = createFlowTokens(ctx.options.sessionSecret);
  const nonce = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const endsAt = new Date(ctx.clock.now().getTime() + FLOW_TTL_MS);
  const sessionId = start.purpose === 'browser' ? start.sessionId : null;
  const program = start.purpose === 'program' ? start.program : null;
  const state = await tokens.sealState({ nonce, purpose: start.purpose, sessionId, endsAt });
  const secret = await tokens.sealSecret({ nonce, verifier, program });

  await ctx.codehostLinks.beginFlow({ nonce, expiresAt: endsAt });
  for (const ended of endedEarlierFlows(ctx.options, ctx.head.cookie)) ctx.appendHeader('Set-Cookie', ended);
  ctx.appendHeader('Set-Cookie', flowCookie(ctx.options, nonce, secret));
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  return identity.authorizationUrl({ state, codeChallenge, redirectUri: callbackUrl(ctx.options) });
}
