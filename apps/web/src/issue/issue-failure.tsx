import type { Issue } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { failureAdvice } from './failure-advice.ts';
import styles from './issue-result.module.css';
import { stageName } from './stage-states.ts';

/** Why an issue failed, in the server's words, and what to do now. */
export function IssueFailure({ issue }: { readonly issue: Issue & { readonly error: NonNullable<Issue['error']> } }) {
  const { id, error } = issue;
  const stage = stageName(error.stage);
  return (
    <section className={styles.failure} aria-labelledby="failure-title">
      <h2 id="failure-title">{stage === null ? 'It failed' : `It failed in ${stage}`}</h2>
      <pre className={styles.detail} dir="auto">
        {visibleText(error.detail)}
      </pre>
      <p>
        <strong>What to do:</strong> {failureAdvice(issue)}{' '}
        <Link to="/issues/$id" params={{ id }} search={{ view: 'log' }}>
          Read the log
        </Link>
      </p>
    </section>
  );
}
