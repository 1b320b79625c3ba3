import { beginFlow, type FlowStart } from '../identity/sign-in/begin-flow.ts';
import { codeHostService } from '../identity/sign-in/sign-in-service.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { callbackUrl } from './callback-url.ts';
import { configuredCodeHost } from './configured-code-host.ts';

/**
 * Begins a sign-in at the code host.
 *
 * @returns the URL to send the browser to
 * @throws AppError `codehost_not_configured`
 */
export async function beginCodeHostFlow(ctx: RequestContext, start: FlowStart): Promise<string> {
  const { identity } = configuredCodeHost(ctx);
  const { state, codeChallenge } = await beginFlow(ctx, codeHostService, start);
  return identity.authorizationUrl({ state, codeChallenge, redirectUri: callbackUrl(ctx.options) });
}
