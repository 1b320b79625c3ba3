import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { tabStorage } from '../session/page-storage.ts';
import { profileQuery } from '../session/queries.ts';
import { type Draft, emptyDraft, keepDraft, keptDraft } from './draft.ts';

/** The draft of the user in this tab, kept with each change. @param begin what the page makes of the one that was kept */
export function useDraft(begin: (kept: Draft) => Draft) {
  const userId = useQuery(profileQuery).data?.id ?? '';
  const [draft, setDraft] = useState(() => begin(keptDraft(tabStorage, userId)));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((now) => {
        const next = { ...now, ...changes };
        keepDraft(tabStorage, userId, next);
        return next;
      }),
    [userId],
  );
  const discard = useCallback(() => {
    keepDraft(tabStorage, userId, emptyDraft);
    setDraft(({ repoId }) => ({ ...emptyDraft, repoId }));
  }, [userId]);
  return { draft, change, discard };
}
