import { Link, useNavigate } from '@tanstack/react-router';
import { useCommand } from '../commands/use-command.ts';
import { type IssueView, issueViews } from '../session/search-params.ts';
import styles from './view-links.module.css';

const names: Record<IssueView, string> = { activity: 'Activity', plan: 'Plan', diff: 'Diff', log: 'Log' };

/** The views of an issue, each with an address of its own. */
export function ViewLinks({ id, shown }: { readonly id: string; readonly shown: IssueView }) {
  return (
    <nav className={styles.views} aria-label="Views of this issue">
      {issueViews.map((view, index) => (
        <ViewLink key={view} id={id} view={view} keys={String(index + 1)} isShown={view === shown} />
      ))}
    </nav>
  );
}

interface ViewLinkProps {
  readonly id: string;
  readonly view: IssueView;
  readonly keys: string;
  readonly isShown: boolean;
}

function ViewLink({ id, view, keys, isShown }: ViewLinkProps) {
  const navigate = useNavigate();
  const to = { to: '/issues/$id', params: { id }, search: { view }, resetScroll: false } as const;
  useCommand({
    id: `view-${view}`,
    label: `Show the ${names[view].toLowerCase()}`,
    group: 'Issue',
    keys,
    run: () => void navigate(to),
  });
  return (
    <Link
      {...to}
      className={styles.view}
      aria-current={isShown ? 'page' : undefined}
      aria-keyshortcuts={keys}
      activeProps={{}}
    >
      {names[view]}
    </Link>
  );
}
