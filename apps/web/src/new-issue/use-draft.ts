import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { profileQuery } from '../session/queries.ts';
import { type Draft, emptyDraft, keepDraft, keptDraft } from './draft.ts';

/** The draft of the user in this tab, kept with each change. */
export function useDraft(begin: Partial<Draft>) {
  const userId = useQuery(profileQuery).data?.id ?? '';
  const [draft, setDraft] = useState(() => ({ ...keptDraft(sessionStorage, userId), ...begin }));
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
