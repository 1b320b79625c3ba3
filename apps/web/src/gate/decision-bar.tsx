import type { Issue } from '@sluice/client';
import { type RefObject, useEffect, useId, useState } from 'react';
import { attachedIds } from '../attachments/attached.ts';
import { useCommand } from '../commands/use-command.ts';
import { counted, formatCount } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { whyNotToApprove } from './approval-words.ts';
import { composeGuidance, countRemarks, lengthOfGuidance, MAX_GUIDANCE_LENGTH } from './compose-guidance.ts';
import { approvalWords, rejectionWords } from './consequences.ts';
import styles from './gate.module.css';
import type { RemarkStore } from './remark-store.ts';
import { useRemarks } from './remarking.ts';
import type { Deciding } from './use-decision.ts';

interface DecisionBarProps {
  readonly issue: Issue & { readonly gate: NonNullable<Issue['gate']> };
  readonly remarks: RemarkStore;
  readonly deciding: Deciding;
  /** The field for instructions on the whole. */
  readonly general: RefObject<HTMLTextAreaElement | null>;
  /** An approval would be refused, because the base has changed what the plan changes. */
  readonly isStale?: boolean;
}

/** Approve, instruct or reject: by the buttons, which stay in sight, by `a`, `i` and `r`, and in the palette. */
export function DecisionBar({ issue, remarks: store, deciding, general, isStale = false }: DecisionBarProps) {
  const remarks = useRemarks(store);
  const { gate } = issue;
  const count = countRemarks(remarks);
  const guidance = composeGuidance(remarks, gate.kind === 'plan' ? issue : { plan: null, triage: null });
  const length = lengthOfGuidance(guidance);
  const isTooLong = length > MAX_GUIDANCE_LENGTH;
  // The dialog decides on the issue that it was opened with, whatever the page has learned meanwhile.
  const [pending, setPending] = useState<{
    readonly action: 'approve' | 'reject';
    readonly seen: DecisionBarProps['issue'];
  } | null>(null);
  const noteId = useId();
  const what = gate.kind === 'plan' ? 'the plan' : 'the publication';
  const approve = gate.kind === 'plan' ? 'Approve the plan' : 'Publish the change';
  const whyNot = whyNotToApprove(gate);
  const ask = (action: 'approve' | 'reject') => {
    if (action === 'approve' && whyNot !== null) return;
    if (!deciding.isPending) setPending({ action, seen: issue });
  };
  const instruct = () => {
    if (count === 0) return general.current?.focus();
    if (isTooLong || deciding.isPending) return;
    const attachments = attachedIds(remarks.files ?? '');
    deciding.decide({
      seen: issue,
      decision: { action: 'instruct', guidance, ...(attachments !== undefined && { attachments }) },
      onDecided: () => store.forget(remarks),
    });
  };
  const approving = { id: 'gate-approve', label: `Approve ${what}`, group: 'Decide', keys: 'a' } as const;
  useCommand({ ...approving, run: () => ask('approve') }, whyNot === null);
  useCommand({
    id: 'gate-instruct',
    label: 'Give instructions',
    group: 'Decide',
    keys: 'i',
    run: () => general.current?.focus(),
  });
  useCommand({ id: 'gate-send', label: 'Send the remarks', group: 'Decide', run: instruct }, count > 0);
  useCommand({ id: 'gate-reject', label: `Reject ${what}`, group: 'Decide', keys: 'r', run: () => ask('reject') });
  useSendKey(instruct, count > 0 && pending === null);

  const isApprovalFirst = gate.blocker === null && count === 0 && !isStale && whyNot === null;
  const note = deciding.isPending
    ? 'Sending your decision. It is checked whether the base has moved.'
    : isTooLong
      ? `Too long to send: shorten the remarks by ${formatCount(length - MAX_GUIDANCE_LENGTH)} characters.`
      : count > 0
        ? `Approving would leave your ${count === 1 ? 'remark' : 'remarks'} unsent.`
        : gate.blocker !== null
          ? 'If you approve this plan, the issue will fail: see above.'
          : isStale
            ? 'The plan is for an older base: see above.'
            : whyNot;
  return (
    <section className={styles.bar} aria-label={`Decide on ${what}`}>
      <Button
        tone={isApprovalFirst ? 'primary' : 'plain'}
        aria-keyshortcuts="a"
        busy={deciding.isPending}
        aria-describedby={note === null ? undefined : noteId}
        disabled={whyNot !== null}
        onClick={() => ask('approve')}
      >
        {approve}{' '}
        <span className={styles.key} aria-hidden="true">
          a
        </span>
      </Button>
      <Button
        tone={count > 0 ? 'primary' : 'plain'}
        aria-keyshortcuts={count === 0 ? 'i' : undefined}
        busy={deciding.isPending}
        aria-describedby={note === null ? undefined : noteId}
        disabled={isTooLong}
        onClick={instruct}
      >
        {count > 0 ? (
          `Send ${counted(count, 'remark')}` // the key goes to the field, and sends nothing
        ) : (
          <>
            Instruct{' '}
            <span className={styles.key} aria-hidden="true">
              i
            </span>
          </>
        )}
      </Button>
      <Button tone="danger" aria-keyshortcuts="r" busy={deciding.isPending} onClick={() => ask('reject')}>
        Reject{' '}
        <span className={styles.key} aria-hidden="true">
          r
        </span>
      </Button>
      <p id={noteId} className={styles.note} role="status" data-bad={isTooLong ? '' : undefined}>
        {note}
        {count > 0 && ` ${formatCount(length)} of ${formatCount(MAX_GUIDANCE_LENGTH)} characters.`}
      </p>
      {pending !== null && (
        <ConfirmDialog
          title={pending.action === 'approve' ? `${approve}?` : `Reject ${what}?`}
          isOpen
          onClose={() => setPending(null)}
          confirm={pending.action === 'approve' ? approve : `Reject ${what}`}
          tone={pending.action === 'approve' ? 'primary' : 'danger'}
          onConfirm={() => {
            const { action, seen } = pending;
            deciding.decide({ seen, decision: { action }, onDecided: () => store.forget(remarks) });
            setPending(null);
          }}
        >
          <ul className={styles.consequences}>
            {(pending.action === 'approve' ? approvalWords(pending.seen, count) : rejectionWords(pending.seen)).map(
              (text) => (
                <li key={text}>{text}</li>
              ),
            )}
          </ul>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Sends by Ctrl+Enter (⌘ on a Mac), from every field of the gate, as in other fields for longer texts. */
function useSendKey(send: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      if (!(event.target instanceof HTMLTextAreaElement)) return;
      event.preventDefault();
      send();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
