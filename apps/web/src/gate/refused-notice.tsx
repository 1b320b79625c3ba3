import { isSluiceError } from '@sluice/client';
import { type Decided, decidedFirst } from '../events/fold-milestones.ts';
import { decisionWords } from '../format/decision-words.ts';
import { errorText } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { StaleBaseNotice } from './stale-base-notice.tsx';
import type { RefusedDecision } from './use-decision.ts';

interface RefusedNoticeProps {
  readonly refused: RefusedDecision;
  readonly decisions: readonly Decided[];
  readonly me: string | undefined;
  readonly onDismiss: () => void;
  /** Asks for a plan on the new base; absent once the gate is gone. */
  readonly onReplan?: ((guidance: string) => void) | undefined;
}

const superseded = new Set<string>([
  'plan_revision_stale',
  'issue_not_awaiting_approval',
  'issue_not_awaiting_publication',
]);

/** A decision that came too late, in words: what happened first, and what to do now. */
export function RefusedNotice({ refused, decisions, me, onDismiss, onReplan }: RefusedNoticeProps) {
  const { error, seen } = refused;
  const dismiss = <Button onClick={onDismiss}>Dismiss</Button>;
  if (isSluiceError(error, 'plan_stale')) {
    const files = filesOf(error.body);
    return (
      <StaleBaseNotice lead="Not approved." branch={seen.base_branch} {...{ files, onReplan }} otherwise={dismiss} />
    );
  }
  const { gate } = seen;
  if (gate === null || !isSluiceError(error) || !superseded.has(error.code)) return <ErrorNotice error={error} />;
  const first = decidedFirst(decisions, { kind: gate.kind, revision: gate.revision, requestedAt: gate.requested_at });
  return (
    <Notice tone="warn" action={dismiss}>
      {first === undefined ? (
        errorText(error)
      ) : (
        <>
          {decisionWords(first, me)} <RelativeTime at={first.at} />, in another window. Nothing more was decided here.
          What you have typed is kept below.
        </>
      )}
    </Notice>
  );
}

function filesOf({ files }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(files) ? files.filter((path) => typeof path === 'string') : [];
}
