import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * The user's own configuration file: `sluice/config` in the XDG configuration folder. Nothing is created.
 *
 * @returns null for a user without a home, e.g. an arbitrary user id in a container
 */
export function userFilePath({ XDG_CONFIG_HOME = '', HOME = '' }: NodeJS.ProcessEnv): string | null {
  // The XDG specification ignores relative paths; an empty HOME would make one.
  if (XDG_CONFIG_HOME.startsWith('/')) return join(XDG_CONFIG_HOME, 'sluice/config');
  const home = HOME.startsWith('/') ? HOME : homeInPasswd();
  return home === null ? null : join(home, '.config/sluice/config');
}

function homeInPasswd(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}
