import { type Issue, isSluiceError, type Plan, type Repo } from '@sluice/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FocusEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { PlanChanges } from '../plan/plan-changes.tsx';
import { PlanDocument, type PlanPart } from '../plan/plan-document.tsx';
import { errorText } from '../session/error-text.ts';
import { baseQuery } from '../session/issue-queries.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import hidden from '../ui/visually-hidden.module.css';
import { baseWords } from './base-words.ts';
import type { RemarkTarget } from './compose-guidance.ts';
import { DecisionBar } from './decision-bar.tsx';
import styles from './gate.module.css';
import { GateFacts } from './gate-facts.tsx';
import { GateReasons } from './gate-reasons.tsx';
import { GeneralRemark } from './general-remark.tsx';
import type { RemarkStore } from './remark-store.ts';
import { Remarking, useRemarkStore, useRemarks } from './remarking.ts';
import { StaleBaseNotice } from './stale-base-notice.tsx';
import type { Deciding } from './use-decision.ts';

interface PlanGateProps {
  readonly issue: Issue & { readonly gate: NonNullable<Issue['gate']>; readonly plan: Plan };
  readonly repo: Repo | undefined;
  /** The revision before this one, if there is one. */
  readonly before: Plan | undefined;
  readonly remarks: RemarkStore;
  readonly deciding: Deciding;
  /** Asks for a plan on the new base. */
  readonly onReplan: (guidance: string) => void;
}

/** The plan, for a person's decision: what to know first, what changed, the plan with room for remarks, and the decision. */
export function PlanGate({ issue, repo, before, remarks, deciding, onReplan }: PlanGateProps) {
  const { gate, plan, repo_id: repoId, base_branch: branch } = issue;
  const general = useRef<HTMLTextAreaElement>(null);
  const commit = gate.base_commit ?? branch;
  const base = useQuery(baseQuery(issue.id, gate.revision));
  const changed = base.data?.planned_files ?? [];
  const isRefused = isSluiceError(deciding.refused?.error, 'plan_stale'); // the notice above says so, with the same files
  const place = useMemo(() => ({ repoId, repo, commit }), [repoId, repo, commit]);
  return (
    <Remarking value={remarks}>
      <div className={styles.gate}>
        <div className={styles.main}>
          {changed.length > 0 && !isRefused && (
            <StaleBaseNotice lead="Approving would be refused." files={changed} {...{ branch, onReplan }} />
          )}
          <GateReasons gate={gate} title="Know this before you decide" />
          <OpenQuestions questions={issue.triage?.open_questions ?? []} revision={plan.revision} />
          {before !== undefined && <PlanChanges before={before} after={plan} />}
          <PlanDocument plan={plan} place={place} below={remarkBelow} />
          <GeneralRemark
            field={general}
            label="Instructions for the planner"
            hint="What should be different? All remarks are sent together, and lead to a new revision. Ctrl+Enter sends."
          />
        </div>
        <section className={styles.side} aria-label="About this decision">
          <GateFacts issue={issue} repo={repo} base={<BaseState base={base} />} />
        </section>
      </div>
      <DecisionBar {...{ issue, remarks, deciding, general }} isStale={isRefused || changed.length > 0} />
    </Remarking>
  );
}

function remarkBelow({ kind, index }: PlanPart) {
  return <RemarkField target={`${kind}:${index}`} on={`${kind} ${index + 1}`} />;
}

type Base = Parameters<typeof baseWords>[0];

function BaseState({ base: { data, error } }: { readonly base: UseQueryResult<Base> }) {
  if (data !== undefined) return baseWords(data);
  return error === null ? 'it is compared with the branch…' : `not compared: ${errorText(error)}`;
}

interface OpenQuestionsProps {
  readonly questions: readonly string[];
  /** A later revision of the plan was made with the answers, so the questions are folded then. */
  readonly revision: number;
}

/** The open questions of the issue. The answers go to the planner with the other remarks. */
function OpenQuestions({ questions, revision }: OpenQuestionsProps) {
  const store = useRemarkStore();
  const remarks = useRemarks(store);
  if (questions.length === 0) return null;
  return (
    <details className={styles.questions} open={revision === 1}>
      <summary>
        <h3>Open questions</h3>
      </summary>
      <p className={styles.soft}>Your answers are sent as instructions, and lead to a new revision of the plan.</p>
      {questions.map((question, index) => (
        <TextArea
          // biome-ignore lint/suspicious/noArrayIndexKey: a question is known by its place alone
          key={index}
          label={visibleText(question)}
          rows={2}
          dir="auto"
          value={remarks[`question:${index}`] ?? ''}
          onChange={({ target: { value } }) => store.set(`question:${index}`, value)}
          onKeyDown={leaveOnEscape}
        />
      ))}
    </details>
  );
}

interface RemarkFieldProps {
  readonly target: RemarkTarget;
  /** What the remark is on, e.g. `step 2`. */
  readonly on: string;
}

/** A button that opens a field for a remark on one part of the plan. */
function RemarkField({ target, on }: RemarkFieldProps) {
  const store = useRemarkStore();
  const text = useSyncExternalStore(store.subscribe, () => store.all()[target] ?? '');
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && text === '') {
    return (
      <Button tone="quiet" className={styles.remark} onClick={() => setOpen(true)}>
        Remark <span className={hidden.hidden}>on {on}</span>
      </Button>
    );
  }
  const closeEmpty = ({ currentTarget }: FocusEvent<HTMLTextAreaElement>) => {
    if (currentTarget.value.trim() === '') setOpen(false);
  };
  const remove = () => {
    store.set(target, '');
    setOpen(false);
  };
  return (
    <div className={styles.remarkOpen}>
      <TextArea
        label={`Remark on ${on}`}
        rows={2}
        dir="auto"
        value={text}
        autoFocus={isOpen}
        onChange={({ target: { value } }) => store.set(target, value)}
        onBlur={closeEmpty}
        onKeyDown={leaveOnEscape}
      />
      <Button tone="quiet" className={styles.remark} onClick={remove}>
        Remove <span className={hidden.hidden}>the remark on {on}</span>
      </Button>
    </div>
  );
}
