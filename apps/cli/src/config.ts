import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the command keeps what belongs to the person and not to a server: `DATA_DIR` when set, else the XDG data
 * folder. Never the current folder, which is usually the repository that is worked on.
 */
export function personalDataDir(): string {
  const { DATA_DIR, XDG_DATA_HOME } = process.env;
  if (DATA_DIR !== undefined && DATA_DIR !== '') return DATA_DIR;
  const share =
    XDG_DATA_HOME !== undefined && XDG_DATA_HOME.startsWith('/') ? XDG_DATA_HOME : join(homedir(), '.local/share');
  return join(share, 'sluice');
}

/** Whether the person named the data folder himself. */
export function hasOwnDataDir(): boolean {
  return (process.env['DATA_DIR'] ?? '') !== '';
}

/** The folder that the person called the command in; `npm run` changes the process's own. */
export function callerFolder(): string {
  return process.env['INIT_CWD'] ?? process.cwd();
}

/** Whether colours are wanted on this stream: a terminal, and no `NO_COLOR`. */
export function wantsColour(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true;
}
