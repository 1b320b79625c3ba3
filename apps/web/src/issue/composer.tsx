import type { Issue } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { keepText } from '../browser/kept-text.ts';
import { tabStorage } from '../browser/page-storage.ts';
import { useCommand } from '../commands/use-command.ts';
import type { Note } from '../events/fold-milestones.ts';
import { formatCount } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { type Attempt, attemptOf } from '../session/idempotency-key.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import { RelativeTime } from '../ui/time.tsx';
import styles from './composer.module.css';

const MAX_NOTE_LENGTH = 8_000;
const SHOW_COUNT_FROM = 7_000;

interface ComposerProps {
  readonly issue: Pick<Issue, 'id' | 'status' | 'stage'>;
  readonly notes: readonly Note[];
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** A note to the agents, at the foot of the page while they work. What was typed outlasts a reload, and the end of the work. */
export function Composer({ issue: { id, status }, notes, field }: ComposerProps) {
  const queries = useQueryClient();
  const [text, setText] = useState(() => takeDraft(tabStorage, id));
  const attempt = useRef<Attempt | null>(null);
  const isWorking = status === 'running';
  const type = (next: string) => {
    setText(next);
    keepDraft(tabStorage, { id, text: next });
  };
  const send = useMutation({
    mutationFn: (note: string) => {
      const input = { id, text: note };
      attempt.current = attemptOf(attempt.current, input);
      return client.issues.message.mutate(input, { idempotencyKey: attempt.current.key });
    },
    onSuccess: (_, note) => {
      if (takeDraft(tabStorage, id).trim() === note) type('');
      attempt.current = null;
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const length = [...text].length;
  const isTooLong = length > MAX_NOTE_LENGTH;
  const submit = () => {
    const note = text.trim();
    if (note === '' || isTooLong || !isWorking || send.isPending) return;
    send.mutate(note);
  };
  useCommand(
    { id: 'issue-note', label: 'Write to the agent', group: 'Issue', keys: 'm', run: () => field.current?.focus() },
    isWorking,
  );
  if (!isWorking && text === '' && notes.length === 0) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    leaveOnEscape(event);
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const tooLong = isTooLong ? `Shorten it by ${formatCount(length - MAX_NOTE_LENGTH)} characters.` : undefined;
  return (
    <section className={styles.composer} aria-labelledby="composer-title">
      <h2 id="composer-title">Notes to the agent</h2>
      <NoteList notes={notes} isWorking={isWorking} />
      {(isWorking || text !== '') && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextArea
            ref={field}
            label="Write to the agent"
            hint={
              isWorking
                ? 'It is read before the next turn; between two stages, the next agent reads it. Ctrl+Enter sends.'
                : 'No agent is working now, so this is kept here and not sent.'
            }
            error={tooLong}
            rows={2}
            dir="auto"
            aria-keyshortcuts="m"
            value={text}
            onChange={({ target: { value } }) => type(value)}
            onKeyDown={onKeyDown}
          />
          {send.isError && <ErrorNotice error={send.error} />}
          <div className={styles.row}>
            {length >= SHOW_COUNT_FROM && (
              <span className={styles.count}>
                {formatCount(length)} of {formatCount(MAX_NOTE_LENGTH)} characters
              </span>
            )}
            <Button type="submit" busy={send.isPending} disabled={!isWorking || text.trim() === '' || isTooLong}>
              Send
            </Button>
            {!isWorking && <Button onClick={() => type('')}>Discard</Button>}
          </div>
        </form>
      )}
    </section>
  );
}

/** The notes so far, and at which turn an agent has read each. */
function NoteList({ notes, isWorking }: { readonly notes: readonly Note[]; readonly isWorking: boolean }) {
  if (notes.length === 0) return null;
  return (
    <ol className={styles.notes}>
      {notes.map(({ seq, at, text, seen }) => (
        <li key={seq}>
          <p className={styles.text} dir="auto">
            {visibleText(text)}
          </p>
          <p className={styles.seen}>
            sent <RelativeTime at={at} /> ·{' '}
            {seen === null ? (
              isWorking ? (
                'not read yet'
              ) : (
                'not read'
              )
            ) : (
              <>
                ✓ read by {visibleText(seen.agent)} at turn {seen.turn}
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}

const PREFIX = 'sluice.message.';

/** The note to an issue's agents that was typed in this tab and is not sent. */
function takeDraft(storage: Pick<Storage, 'getItem'>, id: string): string {
  return storage.getItem(PREFIX + id) ?? '';
}

function keepDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  { id, text }: { readonly id: string; readonly text: string },
): void {
  keepText(storage, PREFIX + id, text);
}
