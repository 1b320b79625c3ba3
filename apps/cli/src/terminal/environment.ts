import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * The data folder of the embedded server: `DATA_DIR` when set, else the XDG data folder. Never the current folder,
 * which is usually the repository that the issue is about.
 */
export function personalDataDir(): string {
  const { DATA_DIR = '', XDG_DATA_HOME = '' } = process.env;
  if (DATA_DIR !== '') return DATA_DIR;
  const share = XDG_DATA_HOME.startsWith('/') ? XDG_DATA_HOME : join(homeFolder(), '.local/share');
  return join(share, 'sluice');
}

/** The XDG state folder, which holds the sessions, and texts that could not be sent. */
export function stateFolder(): string {
  const { XDG_STATE_HOME = '' } = process.env;
  return join(XDG_STATE_HOME.startsWith('/') ? XDG_STATE_HOME : join(homeFolder(), '.local/state'), 'sluice');
}

/** The folder of the user's own configuration. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME = '' } = process.env;
  return join(XDG_CONFIG_HOME.startsWith('/') ? XDG_CONFIG_HOME : join(homeFolder(), '.config'), 'sluice');
}

// The XDG specification ignores relative paths; an empty HOME would make one.
function homeFolder(): string {
  const { HOME = '' } = process.env;
  return HOME.startsWith('/') ? HOME : userInfo().homedir;
}

/** `SLUICE_URL`, or an empty string. */
export function namedServer(): string {
  return process.env.SLUICE_URL ?? '';
}

/** `SLUICE_TOKEN`, or an empty string. */
export function givenToken(): string {
  return process.env.SLUICE_TOKEN ?? '';
}

const RESPONSE_SECONDS = 30; // checking a repository at its registration takes up to 15

/** The timeout for a server's response in milliseconds: `SLUICE_TIMEOUT`, in seconds, when it is a number. */
export function responseTimeoutMs(): number {
  const seconds = Number(process.env.SLUICE_TIMEOUT ?? '');
  return (seconds > 0 ? seconds : RESPONSE_SECONDS) * 1_000;
}

/** Whether the user chose the data folder. */
export function hasOwnDataDir(): boolean {
  return (process.env.DATA_DIR ?? '') !== '';
}

/**
 * The folder that the command was called in. `npm run sluice` in a checkout of Sluice changes the working directory;
 * in a script of another package, `INIT_CWD` is where that script was started and not where the command runs.
 */
export function callerFolder(): string {
  const { INIT_CWD, npm_package_name } = process.env;
  return npm_package_name === 'sluice' && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

/** How to call this command again: through npm in a checkout of Sluice, where `sluice` is not on the path. */
export function ownCommand(): string {
  return process.env.npm_package_name === 'sluice' ? 'npm run sluice --' : 'sluice';
}

/** The environment for a git that this command starts: without `GIT_DIR` and the like, which a calling hook may set. */
export function gitEnvironment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}

/** The environment in which git chooses the editor: an empty variable counts as unset, as `VISUAL=` means it. */
export function editorEnvironment(): NodeJS.ProcessEnv {
  const isEmptyEditor = ([name, value]: [string, unknown]) => /^(GIT_EDITOR|VISUAL|EDITOR)$/.test(name) && value === '';
  return Object.fromEntries(Object.entries(process.env).filter((variable) => !isEmptyEditor(variable)));
}

/**
 * Whether to colour this stream: only on a terminal that supports it. `NO_COLOR` (https://no-color.org) wins over
 * `FORCE_COLOR`, which is `0` for never and anything else for always.
 */
export function wantsColour(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && TERM !== 'dumb';
}

/** The program that opens a page: `BROWSER`, else the desktop's; null without a display. */
export function browserCommand(): string | null {
  const { BROWSER = '', DISPLAY = '', WAYLAND_DISPLAY = '' } = process.env;
  if (BROWSER !== '') return BROWSER;
  if (process.platform === 'darwin') return 'open';
  return DISPLAY !== '' || WAYLAND_DISPLAY !== '' ? 'xdg-open' : null;
}

/**
 * Whether lines on this stream can be redrawn: on a terminal that moves its cursor. Not in a CI job, whose log keeps every
 * redrawn line even where the job has a terminal.
 */
export function canRedraw(stream: { isTTY?: boolean }): boolean {
  const { TERM = '', CI = '' } = process.env;
  return stream.isTTY === true && TERM !== '' && TERM !== 'dumb' && CI === '';
}

/**
 * The pager for long texts: `SLUICE_PAGER`, else `PAGER`, else `less`; null for `cat`, for an empty value and on a terminal
 * that cannot page. `less` exits when the text fits the screen, keeps colours and leaves the text on the screen (`FRX`, as
 * for git), unless `LESS` says otherwise.
 */
export function chosenPager(): { readonly command: string; readonly env: NodeJS.ProcessEnv } | null {
  const { SLUICE_PAGER, PAGER, LESS = 'FRX', TERM = '' } = process.env;
  const command = (SLUICE_PAGER ?? PAGER ?? 'less').trim();
  if (command === '' || command === 'cat' || TERM === '' || TERM === 'dumb') return null;
  return { command, env: { ...process.env, LESS } };
}
