import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lchown } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';

const FIRST_UID = 200_000; // above what distributions give to people and services
const UIDS = 60_000;

/**
 * The user that runs an issue's commands: one per issue, so that two issues cannot touch each other's files or
 * processes. Null when this process is not root and so cannot give files away.
 */
export function sandboxUidFor(issueId: string): number | null {
  if (process.getuid?.() !== 0) return null;
  return FIRST_UID + (createHash('sha256').update(issueId).digest().readUInt32BE(0) % UIDS);
}

/**
 * Gives a whole tree to its user: the sandbox runs commands as the owner of the tree's root. The `.git` file stays
 * ours. Symbolic links are given away themselves, never followed; hard links cannot lead out, as a command sees
 * everything but its tree through other mounts.
 */
export async function giveTree(tree: string, uid: number | null, signal: AbortSignal): Promise<void> {
  if (uid === null) return;
  await chown(['-R', '-h', '-P', '--', `${uid}:${uid}`, tree], signal);
  const self = process.getuid?.() ?? 0;
  await lchown(join(tree, '.git'), self, process.getgid?.() ?? 0);
}

// By the system's own program: walking 100 000 files of installed dependencies in Node takes ten times as long.
async function chown(args: readonly string[], signal: AbortSignal): Promise<void> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const child = spawn('chown', args, { stdio: 'ignore', env, cwd: '/', timeout: 300_000, signal });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.once('close', resolve);
  });
  if (exitCode === 0) return;
  throw new AppError('git_failed', { detail: 'The working tree could not be given to its own user.' });
}
