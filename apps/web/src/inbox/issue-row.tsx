import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatCost } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import { Elapsed, RelativeTime } from '../ui/time.tsx';
import styles from './issue-row.module.css';
import { type ListedIssue, rowWords } from './row-words.ts';

interface IssueRowProps {
  readonly issue: ListedIssue;
  /** The list says the state; the row does not repeat it. */
  readonly hidesState?: boolean;
  /** Where a virtual list puts the row, and how it measures it. */
  readonly place?: RowPlace;
}

interface RowPlace {
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly measure: (row: HTMLLIElement | null) => void;
}

/** An issue in one line: its title, what it waits for or does, its repository, how long, and what it has cost. */
export const IssueRow = memo(function IssueRow({ issue, hidesState = false, place }: IssueRowProps) {
  const { tone, label, detail, time } = rowWords(issue);
  const { branch, change_request_url: url } = issue;
  const pullRequest = url !== null && /^https?:\/\//i.test(url) ? url : null; // a link only to what is of the web
  return (
    <li
      className={styles.row}
      ref={place?.measure}
      data-index={place?.index}
      style={place && { translate: `0 ${place.top}px` }}
      aria-posinset={place && place.index + 1}
      aria-setsize={place?.count}
    >
      <Link
        to="/issues/$id"
        params={{ id: issue.id }}
        className={styles.title}
        data-row={issue.id}
        dir="auto"
        title={visibleText(issue.title)}
      >
        {visibleText(issue.title)}
      </Link>
      <span className={styles.state}>
        {!hidesState && <Badge tone={tone}>{label}</Badge>}
        {detail !== '' && (
          <span className={issue.verdict === null ? styles.detail : styles.verdict} title={visibleText(detail)}>
            {visibleText(detail)}
          </span>
        )}
        {pullRequest !== null && (
          <OutsideLink className={styles.out} href={pullRequest}>
            pull request
          </OutsideLink>
        )}
        {pullRequest === null && branch !== null && (
          <code className={styles.branch} title={visibleText(branch)}>
            {visibleText(branch)}
          </code>
        )}
      </span>
      <span className={styles.repo} title={visibleText(issue.repo_name)}>
        <bdi>{visibleText(issue.repo_name)}</bdi>
      </span>
      <span className={styles.time}>
        {time.word !== '' && `${time.word} `}
        {time.kind === 'elapsed' ? <Elapsed since={time.at} /> : <RelativeTime at={time.at} />}
      </span>
      <span className={styles.cost}>{formatCost(issue.usage.cost_usd)}</span>
    </li>
  );
});
