import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { attachedIds } from '../attachments/attached.ts';
import { tabStorage } from '../browser/page-storage.ts';
import type { Decided } from '../events/fold-milestones.ts';
import { decisionWords } from '../format/decision-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { composeGuidance, lengthOfGuidance, MAX_GUIDANCE_LENGTH } from '../gate/compose-guidance.ts';
import styles from '../gate/gate.module.css';
import { PlanGate } from '../gate/plan-gate.tsx';
import { PublishGate } from '../gate/publish-gate.tsx';
import { RefusedNotice } from '../gate/refused-notice.tsx';
import { openRemarks } from '../gate/remark-store.ts';
import { UnsentRemarks } from '../gate/unsent-remarks.tsx';
import type { Deciding } from '../gate/use-decision.ts';
import { useRights } from '../members/use-rights.ts';
import { PlanDocument } from '../plan/plan-document.tsx';
import { plansQuery } from '../session/issue-queries.ts';
import { profileQuery } from '../session/queries.ts';
import type { IssueView } from '../session/search-params.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/time.tsx';

interface GateSectionProps {
  readonly issue: Issue;
  readonly repo: Repo | undefined;
  readonly view: IssueView;
  readonly decisions: readonly Decided[];
  readonly deciding: Deciding;
  /** The view itself, where it is not the plan. */
  readonly children: ReactNode;
}

/** The plan, and the gates in the views that they are decided in. What was decided, or refused, stands in every view. */
export function GateSection({ issue, repo, view, decisions, deciding, children }: GateSectionProps) {
  const { id, gate, plan } = issue;
  const me = useQuery(profileQuery).data?.id;
  const decides = useRights(issue)('decide');
  const subject = gate === null ? null : (gate.head_commit ?? String(gate.revision));
  const remarks = useMemo(
    () => (subject === null ? null : openRemarks(tabStorage, { issueId: id, subject })),
    [id, subject],
  );
  const last = decisions.at(-1);
  const replan = (reason: string) => {
    const typed = remarks?.all() ?? {};
    const all = [reason, composeGuidance(typed, issue)].filter((text) => text !== '').join('\n\n');
    const fits = lengthOfGuidance(all) <= MAX_GUIDANCE_LENGTH; // else the remarks stay, and are offered at the next revision
    const attachments = fits ? attachedIds(typed.files ?? '') : undefined;
    const decision = {
      action: 'instruct',
      guidance: fits ? all : reason,
      ...(attachments !== undefined && { attachments }),
    } as const;
    deciding.decide({ seen: issue, decision, onDecided: () => fits && remarks?.forget(typed) });
  };
  return (
    <>
      {deciding.refused !== null && (
        <RefusedNotice
          refused={deciding.refused}
          decisions={decisions}
          me={me}
          onDismiss={deciding.dismiss}
          onReplan={gate === null ? undefined : replan}
        />
      )}
      {gate === null && last !== undefined && deciding.refused === null && (
        <DecisionLine key={last.seq} decided={last} me={me} takesFocus={deciding.decided !== null} />
      )}
      <UnsentRemarks
        key={subject}
        issueId={id}
        current={remarks === null || subject === null ? null : { subject, store: remarks }}
      />
      {gate !== null && !decides && <OthersDecide what={gate.kind === 'plan' ? 'plan' : 'change'} />}
      {view === 'plan' && gate?.kind === 'plan' && plan !== null && remarks !== null && decides && (
        <OpenPlanGate issue={{ ...issue, gate, plan }} onReplan={replan} {...{ repo, remarks, deciding }} />
      )}
      {view === 'plan' && (gate?.kind !== 'plan' || !decides) && <PlanAlone issue={issue} repo={repo} />}
      {view === 'diff' && gate?.kind === 'publish' && remarks !== null && decides ? (
        <PublishGate issue={{ ...issue, gate }} {...{ repo, remarks, deciding }}>
          {children}
        </PublishGate>
      ) : (
        children
      )}
    </>
  );
}

/** At a gate that the user may read, and others decide. */
function OthersDecide({ what }: { readonly what: 'plan' | 'change' }) {
  return (
    <Notice tone="info">The {what} waits for an approver of this repository. Your role there does not decide.</Notice>
  );
}

type OpenPlanGateProps = Omit<Parameters<typeof PlanGate>[0], 'before'>;

function OpenPlanGate(props: OpenPlanGateProps) {
  const { id, plan } = props.issue;
  const plans = useQuery({ ...plansQuery(id), enabled: plan.revision > 1 });
  const before = plans.data?.find(({ revision }) => revision === plan.revision - 1);
  return (
    <>
      {plans.data === undefined && plans.error !== null && (
        <ErrorNotice error={plans.error} onRetry={() => void plans.refetch()} />
      )}
      {/* Another revision is another document: nothing that was opened in the last one stays open. */}
      <PlanGate key={plan.revision} {...props} before={before} />
    </>
  );
}

/** The plan when there is nothing to decide about it. */
function PlanAlone({ issue, repo }: { readonly issue: Issue; readonly repo: Repo | undefined }) {
  const { plan, repo_id: repoId, base_branch: branch, result } = issue;
  const commit = result?.base_commit ?? branch;
  const place = useMemo(() => ({ repoId, repo, commit }), [repoId, repo, commit]);
  if (plan !== null) return <PlanDocument plan={plan} place={place} />;
  return (
    <EmptyState title="There is no plan yet">
      {issue.finished_at === null
        ? 'It is made after the issue was read. You are asked to decide on it before anything is changed.'
        : 'The issue ended before one was made.'}
    </EmptyState>
  );
}

interface DecisionLineProps {
  readonly decided: Decided;
  readonly me: string | undefined;
  /** It was decided here just now: the buttons are gone, so the focus goes on from this line. */
  readonly takesFocus: boolean;
}

/** What a gate collapses to: who decided what, and when. */
function DecisionLine({ decided, me, takesFocus }: DecisionLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus && (document.activeElement === null || document.activeElement === document.body))
      line.current?.focus();
  }, [takesFocus]);
  const { action, guidance, at } = decided;
  return (
    <div ref={line} tabIndex={-1} className={styles.line} data-action={action} role="status">
      <span aria-hidden="true">{action === 'approve' ? '✓' : action === 'reject' ? '✕' : '↻'}</span>
      <div>
        {decisionWords(decided, me)} <RelativeTime at={at} />.
        {guidance !== null && (
          <details>
            <summary>The instructions</summary>
            <p className={styles.typed} dir="auto">
              {visibleText(guidance)}
            </p>
          </details>
        )}
      </div>
    </div>
  );
}
