import { isLoopback } from '../config/loopback.ts';
import type { Config } from '../config/parse-config.ts';
import { type Finding, warning } from './finding.ts';

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
