import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Where the command keeps what belongs to the person and not to a server: `DATA_DIR` when set, else the XDG data
 * folder. Never the current folder, which is usually the repository that is worked on.
 */
export function personalDataDir(): string {
  const { DATA_DIR = '', XDG_DATA_HOME = '' } = process.env;
  if (DATA_DIR !== '') return DATA_DIR;
  const share = XDG_DATA_HOME.startsWith('/') ? XDG_DATA_HOME : join(homeFolder(), '.local/share');
  return join(share, 'sluice');
}

/** Where it is kept which servers the person is logged in to: the XDG state folder. */
export function stateFolder(): string {
  const { XDG_STATE_HOME = '' } = process.env;
  return join(XDG_STATE_HOME.startsWith('/') ? XDG_STATE_HOME : join(homeFolder(), '.local/state'), 'sluice');
}

// A relative one counts as not set, says the XDG specification; an empty HOME would be one as well.
function homeFolder(): string {
  const { HOME = '' } = process.env;
  return HOME.startsWith('/') ? HOME : userInfo().homedir;
}

/** The server that `SLUICE_URL` names, or an empty string. */
export function namedServer(): string {
  return process.env.SLUICE_URL ?? '';
}

const ANSWER_SECONDS = 30; // a repository that is registered is looked at for up to 15

/** How long a server's answer is waited for, in milliseconds: `SLUICE_TIMEOUT` in seconds when it is a number. */
export function answerTimeoutMs(): number {
  const seconds = Number(process.env.SLUICE_TIMEOUT ?? '');
  return (seconds > 0 ? seconds : ANSWER_SECONDS) * 1_000;
}

/** Whether the person named the data folder himself. */
export function hasOwnDataDir(): boolean {
  return (process.env.DATA_DIR ?? '') !== '';
}

/**
 * The folder that the person called the command in. `npm run sluice` in a checkout of ours changes the process's own;
 * in a script of another package `INIT_CWD` says where that script was started, which is not where it is.
 */
export function callerFolder(): string {
  const { INIT_CWD, npm_package_name } = process.env;
  return npm_package_name === 'sluice' && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

/** How this command is called again: in a checkout of ours through npm, where nothing named `sluice` is on the path. */
export function ownCommand(): string {
  return process.env.npm_package_name === 'sluice' ? 'npm run sluice --' : 'sluice';
}

/** The environment for a git of the command's own: without `GIT_DIR` and its like, which a calling hook may have set. */
export function gitEnvironment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}

/**
 * Whether colours are wanted on this stream: on a terminal that has them. `NO_COLOR` (https://no-color.org) wins over
 * `FORCE_COLOR`, which is `0` for never and anything else for always.
 */
export function wantsColour(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Whether a program can show a window here. */
export function hasDisplay(): boolean {
  return (process.env.DISPLAY ?? '') !== '' || (process.env.WAYLAND_DISPLAY ?? '') !== '';
}
