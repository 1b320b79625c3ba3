import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { tabStorage } from '../browser/page-storage.ts';
import { profileQuery } from '../session/queries.ts';
import { type Draft, emptyDraft, keepDraft, keptDraft } from './draft.ts';

/** The draft of the user in this tab, kept with each change. @param begin what the page makes of the one that was kept */
export function useDraft(begin: (kept: Draft) => Draft) {
  const userId = useQuery(profileQuery).data?.id ?? '';
  const [draft, setDraft] = useState(() => begin(keptDraft(tabStorage, userId)));
  const latest = useRef(draft); // two changes may come before the next render
  const put = useCallback(
    (next: Draft) => {
      latest.current = next;
      setDraft(next);
      keepDraft(tabStorage, userId, next);
    },
    [userId],
  );
  const change = useCallback((changes: Partial<Draft>) => put({ ...latest.current, ...changes }), [put]);
  const discard = useCallback(() => put({ ...emptyDraft, repoId: latest.current.repoId }), [put]);
  return { draft, change, discard };
}
