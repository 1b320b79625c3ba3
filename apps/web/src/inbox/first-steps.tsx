import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import styles from './first-steps.module.css';

/** The inbox of a user without a repository. */
export function NoRepository() {
  return (
    <EmptyState
      title="Add a repository first"
      action={
        <Link to="/repos/new" className={buttonClass('primary')}>
          Add a repository
        </Link>
      }
    >
      Sluice works on issues of git repositories. Once one is here, you write an issue or import one; agents plan and
      make the change, and you approve the plan before anything is written.
    </EmptyState>
  );
}

/** The inbox of a user without an issue. */
export function NoIssue() {
  return (
    <EmptyState
      title="No issue yet"
      action={
        <div className={styles.actions}>
          <Link to="/issues/new" className={buttonClass('primary')}>
            Write the first issue
          </Link>
          <Link to="/repos" className={buttonClass()}>
            Import from a repository
          </Link>
        </div>
      }
    >
      <p>
        Say what is wrong and what should happen instead. An issue that spells out its edit works even without a model:
      </p>
      <pre className={styles.example}>{'in `src/sum.ts` replace `list.reduce(add)` with `list.reduce(add, 0)`'}</pre>
    </EmptyState>
  );
}
