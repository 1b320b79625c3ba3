import type { Issue } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { attachedIds } from '../attachments/attached.ts';
import { AttachmentsField } from '../attachments/attachments-field.tsx';
import { useUploads } from '../attachments/use-uploads.ts';
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

/** A note on its way, with the files as the draft had them. */
interface SentNote {
  readonly note: string;
  readonly attached: string;
}

interface ComposerProps {
  readonly issue: Pick<Issue, 'id' | 'status' | 'stage'>;
  readonly notes: readonly Note[];
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** A note to the agents, at the foot of the page while they work. What was typed outlasts a reload, and the end of the work. */
export function Composer({ issue: { id, status }, notes, field }: ComposerProps) {
  const queries = useQueryClient();
  const [text, setText] = useState(() => takeDraft(tabStorage, id));
  const files = useFiles(id);
  const uploads = useUploads(files.latest, files.change);
  const attempt = useRef<Attempt | null>(null);
  const isWorking = status === 'running';
  const type = (next: string) => {
    setText(next);
    keepDraft(tabStorage, { id, text: next });
  };
  const send = useMutation({
    mutationFn: ({ note, attached }: SentNote) => {
      const attachments = attachedIds(attached);
      const input = { id, text: note, ...(attachments !== undefined && { attachments }) };
      attempt.current = attemptOf(attempt.current, input);
      return client.issues.message.mutate(input, { idempotencyKey: attempt.current.key });
    },
    onSuccess: (_, { note, attached }) => {
      if (takeDraft(tabStorage, id).trim() === note) type('');
      if (files.latest() === attached) files.change('');
      attempt.current = null;
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const length = [...text].length;
  const isTooLong = length > MAX_NOTE_LENGTH;
  const submit = () => {
    const note = text.trim();
    if (note === '' || isTooLong || !isWorking || send.isPending || uploads.isUploading) return;
    send.mutate({ note, attached: files.latest() });
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
          {...uploads.handlers}
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
          {isWorking && <AttachmentsField value={files.value} uploads={uploads} />}
          {send.isError && <ErrorNotice error={send.error} />}
          <div className={styles.row}>
            {length >= SHOW_COUNT_FROM && (
              <span className={styles.count}>
                {formatCount(length)} of {formatCount(MAX_NOTE_LENGTH)} characters
              </span>
            )}
            <Button
              type="submit"
              busy={send.isPending}
              disabled={!isWorking || text.trim() === '' || isTooLong || uploads.isUploading}
            >
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
const FILES_PREFIX = 'sluice.message-files.';

/** The files of the note that is being written, kept in this tab as its text is. */
function useFiles(id: string) {
  const [value, setValue] = useState(() => tabStorage.getItem(FILES_PREFIX + id) ?? '');
  const latest = useRef(value); // two uploads may end before the next render
  const change = (next: string) => {
    latest.current = next;
    setValue(next);
    keepText(tabStorage, FILES_PREFIX + id, next);
  };
  return { value, latest: () => latest.current, change };
}

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
