import type { ConfiguredOidcProvider } from '@sluice/api';
import { toAppError } from '@sluice/core/error';
import { isLoopback } from '../config/loopback.ts';
import type { Config } from '../config/parse-config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type AccountSettings = Pick<
  Config,
  'host' | 'publicUrl' | 'trustProxy' | 'registration' | 'allowLocalRepos' | 'localReposFor'
>;

/**
 * Who can register, and who can read folders of this host.
 *
 * @param accounts number of accounts; null if unknown
 */
export function accountFindings(settings: AccountSettings, accounts: number | null): Finding[] {
  return [...registrationFindings(settings), ...localRepoFindings(settings, accounts)];
}

function registrationFindings({ registration, host, publicUrl, trustProxy }: AccountSettings): Finding[] {
  const isReachable =
    !isLoopback(host) || trustProxy.length > 0 || (publicUrl !== null && !isLoopback(publicUrl.hostname));
  if (registration !== 'open' || !isReachable) return [];
  const detail = 'open, and this server is reachable from other machines: anyone who reaches it can create an account';
  return [warning('registration', detail, 'set REGISTRATION=invite, first-user or closed')];
}

function localRepoFindings(
  { registration, allowLocalRepos, localReposFor }: AccountSettings,
  accounts: number | null,
): Finding[] {
  if (!allowLocalRepos || localReposFor === 'operators') return [];
  const isOneAccount = accounts !== null && accounts <= 1;
  if (isOneAccount && registration !== 'open') return [];
  const who = accounts === null || isOneAccount ? 'every account' : `each of the ${accounts} accounts`;
  const detail = `${who} may register folders of this host and read them with the rights of the service`;
  return [warning('local repositories', detail, 'unset ALLOW_LOCAL_REPOS to allow only operators')];
}

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
