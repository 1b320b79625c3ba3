import type { ConfiguredOidcProvider } from '@sluice/api';
import { toAppError } from '@sluice/core/error';
import { type Finding, ok, problem } from './finding.ts';

const TIMEOUT_MS = 12_000; // longer than the adapter's own, whose message says more

/** Whether the OpenID providers can be used, as far as their documents tell, and what has to be registered there. */
export async function oidcFindings(
  providers: readonly ConfiguredOidcProvider[],
  publicUrl: URL | null,
): Promise<Finding[]> {
  return await Promise.all(providers.map((one) => findingOf(one, publicUrl)));
}

async function findingOf({ provider }: ConfiguredOidcProvider, publicUrl: URL | null): Promise<Finding> {
  const { id, name, issuer } = provider;
  const subject = `single sign-on ${id}`;
  const redirectUri = `${publicUrl?.origin ?? 'PUBLIC_URL'}/api/auth/oidc/${id}/callback`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await provider.authorizationUrl({ state: 'doctor', nonce: 'doctor', codeChallenge: 'doctor', redirectUri, signal });
    return ok(subject, `${name} at ${issuer} answers; its redirect URI is ${redirectUri}`);
  } catch (error) {
    const fix = 'check the issuer in the file of OIDC_PROVIDERS, and that this machine can reach it';
    return problem(subject, toAppError(error).message, fix);
  }
}
