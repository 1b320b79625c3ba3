import type { Repo } from '@sluice/client';

type HostedRepo = Pick<Repo, 'url' | 'provider'>;

interface FilePlace {
  readonly commit: string;
  readonly path: string;
  readonly lines?: { readonly start: number; readonly end: number };
}

/** The page of a file at a commit, at the code host; null for a repository that has no pages. */
export function fileUrl(repo: HostedRepo, { commit, path, lines }: FilePlace): string | null {
  const url = pageUrl(repo, ['blob', commit, ...path.split('/')]);
  return url === null || lines === undefined ? url : `${url}#L${lines.start}-L${lines.end}`;
}

/** The page of a branch at the code host. */
export function branchUrl(repo: HostedRepo, branch: string): string | null {
  return pageUrl(repo, ['tree', ...branch.split('/')]);
}

/** The page of a commit at the code host. */
export function commitUrl(repo: HostedRepo, commit: string): string | null {
  return pageUrl(repo, ['commit', commit]);
}

/** The repository's own page at the code host. */
export function repoUrl(repo: HostedRepo): string | null {
  return pageUrl(repo, []);
}

function pageUrl({ url, provider }: HostedRepo, parts: readonly string[]): string | null {
  if (provider !== 'codehost' || !/^https?:\/\//.test(url)) return null;
  const base = url.replace(/\/+$/, '').replace(/\.git$/, '');
  return [base, ...parts.map(encodeURIComponent)].join('/');
}
