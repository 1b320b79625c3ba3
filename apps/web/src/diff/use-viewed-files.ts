import { useState } from 'react';
import { keepText, keptJson } from '../browser/kept-text.ts';
import { browserStorage } from '../browser/page-storage.ts';
import type { ChangedFile } from './changed-files.ts';

/** Which files of an issue's change the user has read, by path. */
export function useViewedFiles(issueId: string, files: readonly ChangedFile[]) {
  const [viewed, setViewed] = useState<ReadonlySet<string>>(() => readViewed(browserStorage, issueId, files));
  return {
    viewed,
    mark(path: string, isViewed: boolean) {
      const next = new Set(viewed);
      if (isViewed) next.add(path);
      else next.delete(path);
      setViewed(next);
      writeViewed(
        browserStorage,
        issueId,
        files.filter((file) => next.has(file.path)),
      );
    },
  };
}

const KEY = 'sluice.viewed';
const MAX_ISSUES = 50; // marks of older issues are forgotten
type Marks = Readonly<Record<string, string>>;

/** Which files of an issue were read in this browser. A file that changed since counts as not read. */
export function readViewed(store: Pick<Storage, 'getItem'>, issueId: string, files: readonly ChangedFile[]) {
  const marks = readAll(store).find(([id]) => id === issueId)?.[1] ?? {};
  return new Set(files.flatMap((file) => (marks[file.path] === contentOf(file) ? [file.path] : [])));
}

export function writeViewed(
  store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  issueId: string,
  viewed: readonly ChangedFile[],
): void {
  const marks: Marks = Object.fromEntries(viewed.map((file) => [file.path, contentOf(file)]));
  const others = readAll(store).filter(([id]) => id !== issueId);
  keepText(store, KEY, JSON.stringify([[issueId, marks], ...others].slice(0, MAX_ISSUES)));
}

/** The content that a mark is for: the file's patch, or its counts where it has none. */
function contentOf({ patch, additions, deletions }: ChangedFile): string {
  if (patch === null) return `+${additions} -${deletions}`;
  return `${patch.blobs?.old ?? ''}..${patch.blobs?.new ?? ''} ${patch.mode?.new ?? ''}`;
}

function readAll(store: Pick<Storage, 'getItem'>): (readonly [string, Marks])[] {
  const kept = keptJson(store, KEY);
  return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'object') : [];
}
