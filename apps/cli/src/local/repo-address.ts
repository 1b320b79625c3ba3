import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { callerFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

/**
 * A folder becomes the real absolute path of the repository that it is in, so that the same repository is always the
 * same; a URL stays as given.
 *
 * @throws CommandError when there is no such folder
 */
export async function repoAddress(given: string): Promise<string> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return given;
  // From a script's unset variable; taken as a path it would be the current folder.
  if (given === '') throw new CommandError(exitCode.usage, '--repo is empty: it takes a folder or an https:// URL.');
  try {
    return repoRoot(await realpath(resolve(callerFolder(), given)));
  } catch {
    throw new CommandError(exitCode.usage, `There is no folder ${given}: --repo takes a folder or an https:// URL.`);
  }
}

/** The nearest folder from `folder` upwards that is a repository, as git itself looks for it; else `folder`. */
function repoRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const isBare = existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects'));
    if (isBare || existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return folder;
  }
}
