import type { CloseReason } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { closeReasons, closeWords } from '../format/close-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { outcomeQuery } from '../session/issue-queries.ts';
import { profileQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { RelativeTime } from '../ui/time.tsx';
import styles from './close-question.module.css';

const NOTE_CHARACTERS = 500;

/** Asks why the pull request of an issue was closed without a merge. One click answers; the answer can be changed. */
export function CloseQuestion({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const { data: outcome } = useQuery(outcomeQuery(id));
  const me = useQuery(profileQuery).data?.id;
  const [note, setNote] = useState('');
  const [isChanging, setIsChanging] = useState(false);
  const answer = useMutation({
    mutationFn: (reason: CloseReason) =>
      client.issues.closeReason.mutate({ id, reason, ...(note.trim() === '' ? {} : { note: note.trim() }) }),
    onSuccess: () => setIsChanging(false),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const close = outcome?.close ?? null;
  if (outcome == null || close === null) return null;
  if (close.reason !== null && !isChanging)
    return (
      <section className={styles.question} aria-label="Why it was closed">
        <p>
          Pull request #{outcome.number} was closed: <strong>{closeWords[close.reason].toLowerCase()}</strong>
          {close.note !== null && (
            <>
              {' '}
              <q dir="auto">{visibleText(close.note)}</q>
            </>
          )}
          {close.answered_at !== null && (
            <span className={styles.soft}>
              {' '}
              <RelativeTime at={close.answered_at} />
            </span>
          )}
        </p>
        {close.answered_by === me && (
          <Button
            tone="quiet"
            onClick={() => {
              setNote(close.note ?? '');
              setIsChanging(true);
            }}
          >
            Change the answer
          </Button>
        )}
      </section>
    );
  return (
    <section className={styles.question} aria-labelledby="close-title">
      <h2 id="close-title">Why was pull request #{outcome.number} closed?</h2>
      <p className={styles.soft}>One click answers. It is counted among the outcomes.</p>
      <TextField
        label="Note (optional)"
        value={note}
        maxLength={NOTE_CHARACTERS}
        dir="auto"
        onChange={({ target }) => setNote(target.value)}
      />
      <div className={styles.reasons}>
        {closeReasons.map((reason) => (
          <Button key={reason} busy={answer.isPending} onClick={() => answer.mutate(reason)}>
            {closeWords[reason]}
          </Button>
        ))}
      </div>
      {answer.isError && <ErrorNotice error={answer.error} />}
    </section>
  );
}
