import { execFileSync } from 'node:child_process';
import { copyTaskRepo, type TaskRepo } from '../repo/task-repo.ts';

const COMMANDS_UID = 65_534; // "nobody": the sandbox runs commands as the owner of the tree, and never as root

/** A copy of the repository that commands in the sandbox may write to. @param prepare puts more into it before that */
export function openTree(repo: TaskRepo, folder: string, prepare: (tree: string) => void = () => {}): string {
  copyTaskRepo(repo, folder).git('remote', 'remove', 'origin');
  prepare(folder);
  giveToCommands(folder);
  return folder;
}

/** Gives a tree to the user that runs commands, where this process may. */
function giveToCommands(folder: string): void {
  if (process.getuid?.() !== 0) return;
  execFileSync('chown', ['-R', '-h', '-P', '--', `${COMMANDS_UID}:${COMMANDS_UID}`, folder]);
}
