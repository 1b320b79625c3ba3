import type { OidcProvider } from '@sluice/core/oidc';
import type { RequestContext } from '../../procedure/request-context.ts';
import { beginFlow, type FlowStart } from '../sign-in/begin-flow.ts';
import { oidcService } from '../sign-in/sign-in-service.ts';
import { oidcCallbackUrl } from './configured-provider.ts';

/**
 * Begins a sign-in at a provider.
 *
 * @returns the URL to send the browser to
 * @throws AppError `oidc_unavailable`
 */
export async function beginOidcFlow(ctx: RequestContext, provider: OidcProvider, start: FlowStart): Promise<string> {
  const begun = await beginFlow(ctx, oidcService(provider), start);
  const redirectUri = oidcCallbackUrl(ctx.options, provider.id);
  return await provider.authorizationUrl({ ...begun, redirectUri, signal: ctx.signal });
}
