import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { profileQuery } from '../session/queries.ts';
import { type Draft, emptyDraft, keepDraft, keptDraft } from './draft.ts';

/** The draft of the user in this tab, kept with each change. @param begin what the page makes of the one that was kept */
export function useDraft(begin: (kept: Draft) => Draft) {
  const userId = useQuery(profileQuery).data?.id ?? '';
  const [draft, setDraft] = useState(() => begin(keptDraft(sessionStorage, userId)));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((now) => {
        const next = { ...now, ...changes };
        keepDraft(sessionStorage, userId, next);
        return next;
      }),
    [userId],
  );
  const discard = useCallback(() => {
    keepDraft(sessionStorage, userId, emptyDraft);
    setDraft(({ repoId }) => ({ ...emptyDraft, repoId }));
  }, [userId]);
  return { draft, change, discard };
}
