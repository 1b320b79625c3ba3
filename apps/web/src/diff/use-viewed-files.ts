import { useState } from 'react';
import { browserStorage } from '../browser/page-storage.ts';
import type { ChangedFile } from './changed-files.ts';
import { readViewed, writeViewed } from './viewed-files.ts';

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
