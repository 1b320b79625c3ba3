import type { Repo } from '@sluice/client';

interface Lines {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** Where the code host shows these lines of the indexed commit; null for a repository that is elsewhere. */
export function blobUrl({ provider, url, index }: Repo, { path, start_line, end_line }: Lines): string | null {
  if (provider !== 'codehost' || index === null || !/^https?:\/\//.test(url)) return null;
  const file = path.split('/').map(encodeURIComponent).join('/');
  return `${url.replace(/(?:\.git)?\/*$/, '')}/blob/${encodeURIComponent(index.commit)}/${file}#L${start_line}-L${end_line}`;
}
