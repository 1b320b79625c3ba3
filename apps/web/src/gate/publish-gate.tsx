import type { Issue, Repo } from '@sluice/client';
import { type ReactNode, useRef } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { DecisionBar } from './decision-bar.tsx';
import styles from './gate.module.css';
import { GateFacts } from './gate-facts.tsx';
import { GateReasons } from './gate-reasons.tsx';
import { GeneralRemark } from './general-remark.tsx';
import type { RemarkStore } from './remark-store.ts';
import { Remarking } from './remarking.ts';
import type { Deciding } from './use-decision.ts';

interface PublishGateProps {
  readonly issue: Issue & { readonly gate: NonNullable<Issue['gate']> };
  readonly repo: Repo | undefined;
  readonly remarks: RemarkStore;
  readonly deciding: Deciding;
  /** The diff, under which the buttons stay in sight. */
  readonly children: ReactNode;
}

/** A change that a person must release before it is published, with its diff below. */
export function PublishGate({ issue, repo, remarks, deciding, children }: PublishGateProps) {
  const { gate, plan } = issue;
  const general = useRef<HTMLTextAreaElement>(null);
  const criteria = plan?.acceptance_criteria ?? [];
  return (
    <Remarking value={remarks}>
      <section className={styles.publish} aria-labelledby="publish-title">
        <h2 id="publish-title">Publish this change?</h2>
        <div className={styles.gate}>
          <div className={styles.main}>
            <GateReasons gate={gate} title="Why this needs a person" />
            {criteria.length > 0 && (
              <details>
                <summary>Acceptance criteria of the plan</summary>
                <ul className={styles.criteria}>
                  {criteria.map((criterion) => (
                    <li key={criterion} dir="auto">
                      {visibleText(criterion)}
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <GeneralRemark
              field={general}
              label="Instructions for the coder"
              hint="What should be different? They lead back to the coder, then to the tests and the review. Ctrl+Enter sends."
            />
          </div>
          <section className={styles.side} aria-label="About this decision">
            <GateFacts issue={issue} repo={repo} />
          </section>
        </div>
        {children}
        <DecisionBar issue={issue} remarks={remarks} deciding={deciding} general={general} />
      </section>
    </Remarking>
  );
}
