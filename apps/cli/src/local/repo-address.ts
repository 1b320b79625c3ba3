import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { callerFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const CODE_HOST_NAME = /^(?!\.{1,2}\/)[\w.-]{1,100}\/[\w.-]{1,100}$/;

const SSH_ADDRESS = /^(?:(?:git\+)?ssh:\/\/(?:[\w.-]+@)?|[\w.-]+@)([\w.-]+)(?::\d+\/|[:/]\/?)(.+)$/;

/** How the API names a repository: `owner/name` is one at the code host, anything else a URL or a folder. */
export type RepoReference = { readonly codehost_repo: string } | { readonly url: string };

/**
 * Reads what was given as a repository: a name at the code host, a URL or a folder.
 *
 * @throws CommandError when `given` could be either, and as `repoAddress()`
 */
export async function repoReference(given: string): Promise<RepoReference> {
  if (!CODE_HOST_NAME.test(given)) return { url: await repoAddress(given) };
  const folder = await existingFolder(given);
  if (folder === null || repoRoot(folder) !== folder) return { codehost_repo: given };
  const how = `Write ./${given} for the folder, or the URL of the one at the code host.`;
  throw new CommandError(exitCode.usage, `${given} is a folder here, and a name at the code host. ${how}`);
}

/**
 * Resolves a folder to the real absolute path of its repository, so that one repository always has the same address. A
 * URL is returned unchanged.
 *
 * @throws CommandError when the folder does not exist, or is in no repository
 */
export async function repoAddress(given: string): Promise<string> {
  const ssh = SSH_ADDRESS.exec(given);
  if (ssh !== null) {
    const how = `try https://${ssh[1]}/${ssh[2]}, or the folder of a clone.`;
    throw new CommandError(exitCode.usage, `${given} is an SSH address. Sluice reads repositories over HTTPS: ${how}`);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return given;
  // An unset variable in a script. As a path it would mean the current folder.
  if (given === '')
    throw new CommandError(exitCode.usage, 'The repository is empty: pass a folder or an https:// URL.');
  const folder = await existingFolder(given);
  if (folder === null) {
    throw new CommandError(
      exitCode.usage,
      `There is no folder ${given}: pass a folder of a repository, or an https:// URL.`,
    );
  }
  const root = repoRoot(folder);
  if (root !== null) return root;
  const how = `Make it one with "git init" and a first commit, or pass another folder.`;
  throw new CommandError(exitCode.usage, `${folder} is not in a git repository. ${how}`);
}

async function existingFolder(given: string): Promise<string | null> {
  try {
    return await realpath(resolve(callerFolder(), given));
  } catch {
    return null;
  }
}

/** The nearest repository from `folder` upwards, found as git finds it; null when there is none. */
export function repoRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const isBare = existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects'));
    if (isBare || existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}
