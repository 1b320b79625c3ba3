import type { Issue } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { serverQuery } from '../session/queries.ts';
import { failureAdvice } from './failure-advice.ts';
import styles from './issue-result.module.css';
import { stageName } from './stage-states.ts';

/** Why an issue failed, in the server's words, and what to do now. */
export function IssueFailure({ issue }: { readonly issue: Issue & { readonly error: NonNullable<Issue['error']> } }) {
  const { id, error } = issue;
  const isBuiltin = useQuery(serverQuery).data?.details?.models.implement.builtin ?? false;
  const stage = stageName(error.stage);
  return (
    <section className={styles.failure} aria-labelledby="failure-title">
      <h2 id="failure-title">{stage === null ? 'It failed' : `It failed in ${stage}`}</h2>
      <p>
        <strong>What to do:</strong> {failureAdvice(issue, isBuiltin)}{' '}
        <Link to="/issues/$id" params={{ id }} search={{ view: 'log' }}>
          Read the log
        </Link>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too */}
      <section className={styles.detail} aria-label="The error in full" tabIndex={0}>
        <pre dir="auto">{visibleText(error.detail)}</pre>
      </section>
    </section>
  );
}
