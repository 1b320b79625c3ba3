import type { Inbox } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../format/amounts.ts';
import type { InboxSearch } from '../session/search-params.ts';
import styles from './inbox-lists.module.css';
import { IssueRow } from './issue-row.tsx';
import type { ListedIssue } from './row-words.ts';

interface InboxListsProps {
  readonly inbox: Inbox;
  readonly search: InboxSearch;
}

/** The lists of the inbox, what needs the user first. A list without issues is left out, except that one. */
export function InboxLists({ inbox, search }: InboxListsProps) {
  const { needs_you: needsYou, waits_for_others: forOthers, running, queued, drafts, done } = inbox;
  const all = (status: InboxSearch['status'], label: string) => (
    <Link to="/issues" search={{ ...search, status }}>
      {label}
    </Link>
  );
  return (
    <>
      <List title="Needs you" list={needsYou} isUrgent more={all('awaiting_approval', 'Show all that wait')}>
        <p className={styles.calm}>Nothing waits for you.</p>
      </List>
      <List title="Waits for others" list={forOthers} more={all('awaiting_approval', 'Show all that wait')} />
      <List title="Running" list={running} hidesState more={all('running', 'Show all that run')} />
      <List title="Queued" list={queued} more={all('pending', 'Show all that have not started')} />
      <List title="Drafts" list={drafts} hidesState more={all('pending', 'Show all that have not started')} />
      <List title="Done" list={done} more={all('done', 'Show all that are done')} isLast />
    </>
  );
}

interface ListProps {
  readonly title: string;
  readonly list: { readonly items: readonly ListedIssue[]; readonly more: boolean };
  /** Leads to the whole list. */
  readonly more: ReactNode;
  readonly isUrgent?: boolean;
  /** The title says the state of its issues. */
  readonly hidesState?: boolean;
  /** The whole list is offered even where all of it is shown: it has what lies further back. */
  readonly isLast?: boolean;
  /** The content of an empty list; without it, an empty list is left out. */
  readonly children?: ReactNode;
}

function List({ title, list, more, isUrgent = false, hidesState = false, isLast = false, children }: ListProps) {
  const { items } = list;
  if (items.length === 0 && children === undefined) return null;
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title}>
        {title} <span className={styles.count}>{`${formatCount(items.length)}${list.more ? '+' : ''}`}</span>
      </h2>
      {items.length === 0 ? (
        children
      ) : (
        <ul className={styles.rows} data-urgent={isUrgent ? '' : undefined}>
          {items.map((issue) => (
            <IssueRow key={issue.id} issue={issue} hidesState={hidesState} />
          ))}
        </ul>
      )}
      {(list.more || isLast) && <p>{more}</p>}
    </section>
  );
}
