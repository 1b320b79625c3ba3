import { createHash, randomBytes } from 'node:crypto';
import type { SessionId } from '@sluice/core/id';
import type { RequestContext } from '../../procedure/request-context.ts';
import { endedEarlierFlows, flowCookie } from './flow-cookie.ts';
import { createFlowTokens, FLOW_TTL_MS, type ProgramReturn } from './flow-tokens.ts';
import type { SignInService } from './sign-in-service.ts';

/** What a sign-in is for. */
export type FlowStart =
  | { readonly purpose: 'browser'; readonly sessionId: SessionId | null }
  | { readonly purpose: 'program'; readonly program: ProgramReturn };

/** What the address at the other service must have. */
interface BegunFlow {
  readonly state: string;
  readonly nonce: string;
  /** Base64url of the SHA-256 of the PKCE verifier. */
  readonly codeChallenge: string;
}

/** Begins a sign-in. The browser keeps one half of it in a cookie; the other travels in the URL. */
export async function beginFlow(ctx: RequestContext, service: SignInService, start: FlowStart): Promise<BegunFlow> {
  const tokens = createFlowTokens(ctx.options.sessionSecret, service.sealedFor);
  const place = { options: ctx.options, service: service.service };
  const nonce = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const endsAt = new Date(ctx.clock.now().getTime() + FLOW_TTL_MS);
  const sessionId = start.purpose === 'browser' ? start.sessionId : null;
  const program = start.purpose === 'program' ? start.program : null;
  const state = await tokens.sealState({ nonce, purpose: start.purpose, sessionId, endsAt });
  const secret = await tokens.sealSecret({ nonce, verifier, program });

  await ctx.signInFlows.beginFlow({ nonce, expiresAt: endsAt });
  for (const ended of endedEarlierFlows(place, ctx.head.cookie)) ctx.appendHeader('Set-Cookie', ended);
  ctx.appendHeader('Set-Cookie', flowCookie(place, nonce, secret));
  return { state, nonce, codeChallenge: createHash('sha256').update(verifier).digest('base64url') };
}
