import { isSluiceError } from '@sluice/client';
import { visibleText } from '../format/visible-text.ts';
import type { Decided } from '../session/fold-milestones.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { decidedFirst, decisionWords } from './decision-words.ts';
import styles from './gate.module.css';
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
    const replan = onReplan !== undefined && (
      <Button tone="primary" onClick={() => onReplan(replanGuidance(seen.base_branch, files))}>
        Make a new plan on the new base
      </Button>
    );
    return (
      <Notice tone="warn" action={replan || dismiss}>
        <p>
          <strong>Not approved.</strong> <bdi>{visibleText(seen.base_branch)}</bdi> has changed files that this plan
          changes too, since the plan was made:
        </p>
        <ul className={styles.staleFiles}>
          {files.map((path) => (
            <li key={path}>
              <code>{visibleText(path)}</code>
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  const { gate } = seen;
  if (gate === null || !isSluiceError(error) || !superseded.has(error.code)) return <ErrorNotice error={error} />;
  const first = decidedFirst(decisions, { kind: gate.kind, revision: gate.revision, requestedAt: gate.requested_at });
  return (
    <Notice tone="warn" action={dismiss}>
      {first === undefined ? (
        error.detail
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

const NAMED_FILES = 20;

function replanGuidance(branch: string, files: readonly string[]): string {
  const more = files.length > NAMED_FILES ? `, and ${files.length - NAMED_FILES} more` : '';
  return `Make a new plan on the current ${branch}. It has changed since in: ${files.slice(0, NAMED_FILES).join(', ')}${more}.`;
}
