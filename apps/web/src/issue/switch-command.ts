import type { Repo } from '@sluice/client';

/** The command that shows a branch, safe to paste into a shell whatever the branch is called. */
export function switchCommand(branch: string, repo: Pick<Repo, 'url'> | undefined): string {
  const name = /^[\w./-]+$/.test(branch) ? branch : `'${branch.replaceAll("'", `'\\''`)}'`;
  return isWorkFolder(repo) ? `git switch ${name}` : `git fetch origin ${name} && git switch ${name}`;
}

/** Whether one works in the repository's own folder, where the branch is already. A bare repository is cloned first. */
function isWorkFolder(repo: Pick<Repo, 'url'> | undefined): boolean {
  return repo !== undefined && /^(?:\/|file:)/.test(repo.url) && !/\.git\/?$/.test(repo.url);
}
