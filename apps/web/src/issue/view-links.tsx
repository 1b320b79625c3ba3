import { Link, useNavigate } from '@tanstack/react-router';
import { useCommand } from '../commands/use-command.ts';
import { type IssueView, issueViews } from '../session/search-params.ts';
import styles from './view-links.module.css';

const names: Record<IssueView, string> = { activity: 'Activity', plan: 'Plan', diff: 'Diff', log: 'Log' };

/** The views of an issue, each with an address of its own. */
export function ViewLinks({ id, shown }: { readonly id: string; readonly shown: IssueView }) {
  return (
    <nav className={styles.views} aria-label="Views of this issue">
      {issueViews.map((view) => (
        <ViewLink key={view} id={id} view={view} isShown={view === shown} />
      ))}
    </nav>
  );
}

function ViewLink({ id, view, isShown }: { readonly id: string; readonly view: IssueView; readonly isShown: boolean }) {
  const navigate = useNavigate();
  const to = { to: '/issues/$id', params: { id }, search: { view }, resetScroll: false } as const;
  useCommand({
    id: `view-${view}`,
    label: `Show the ${names[view].toLowerCase()}`,
    group: 'Issue',
    keys: `v ${view[0]}`,
    run: () => void navigate(to),
  });
  return (
    <Link {...to} className={styles.view} aria-current={isShown ? 'page' : undefined} activeProps={{}}>
      {names[view]}
    </Link>
  );
}
