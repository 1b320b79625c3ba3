import type { Issue, Plan, Repo } from '@sluice/client';
import { useMemo, useRef } from 'react';
import { PlanChanges } from '../plan/plan-changes.tsx';
import { PlanDocument, type PlanPart } from '../plan/plan-document.tsx';
import { DecisionBar } from './decision-bar.tsx';
import styles from './gate.module.css';
import { GateFacts } from './gate-facts.tsx';
import { GateReasons } from './gate-reasons.tsx';
import { GeneralRemark } from './general-remark.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { RemarkField } from './remark-field.tsx';
import type { RemarkStore } from './remark-store.ts';
import { Remarking } from './remarking.ts';
import type { Deciding } from './use-decision.ts';

interface PlanGateProps {
  readonly issue: Issue & { readonly gate: NonNullable<Issue['gate']>; readonly plan: Plan };
  readonly repo: Repo | undefined;
  /** The revision before this one, if there is one. */
  readonly before: Plan | undefined;
  readonly remarks: RemarkStore;
  readonly deciding: Deciding;
}

/** The plan, for a person's decision: what to know first, what changed, the plan with room for remarks, and the decision. */
export function PlanGate({ issue, repo, before, remarks, deciding }: PlanGateProps) {
  const { gate, plan, repo_id: repoId, base_branch: branch } = issue;
  const general = useRef<HTMLTextAreaElement>(null);
  const commit = gate.base_commit ?? branch;
  const place = useMemo(() => ({ repoId, repo, commit }), [repoId, repo, commit]);
  return (
    <Remarking value={remarks}>
      <div className={styles.gate}>
        <div className={styles.main}>
          <GateReasons gate={gate} title="Know this before you decide" />
          <OpenQuestions questions={issue.triage?.open_questions ?? []} revision={plan.revision} />
          {before !== undefined && <PlanChanges before={before} after={plan} />}
          <PlanDocument plan={plan} place={place} below={remarkBelow} />
          <GeneralRemark
            field={general}
            label="Instructions for the planner"
            hint="What should be different? All remarks are sent together, and lead to a new revision."
          />
        </div>
        <section className={styles.side} aria-label="About this decision">
          <GateFacts issue={issue} repo={repo} />
        </section>
      </div>
      <DecisionBar issue={issue} remarks={remarks} deciding={deciding} general={general} />
    </Remarking>
  );
}

const names = { step: 'step', criterion: 'criterion', risk: 'risk' } as const;

function remarkBelow({ kind, index }: PlanPart) {
  return <RemarkField target={`${kind}:${index}`} on={`${names[kind]} ${index + 1}`} />;
}
