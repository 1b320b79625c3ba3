import type { IssueStatus } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { formatCount } from '../format/amounts.ts';
import { statusWords } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { reposQuery } from '../session/queries.ts';
import { type InboxSearch, type IssueGroup, issueGroups } from '../session/search-params.ts';
import { AddressSearch } from '../ui/address-search.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField } from '../ui/field.tsx';
import styles from './inbox-filters.module.css';

const MAX_CHARACTERS = 200;
const MAX_COUNTED_ISSUES = 1_000; // the server counts no further

const groups = (Object.keys(issueGroups) as IssueGroup[]).filter((name) => name !== 'done');

interface InboxFiltersProps {
  readonly search: InboxSearch;
  /** Undefined until they are known, and in a search, which they do not narrow to. */
  readonly counts: Readonly<Record<IssueStatus, number>> | undefined;
}

/** Narrows the inbox by words, repository and status. All of it stands in the address. */
export function InboxFilters({ search, counts }: InboxFiltersProps) {
  const navigate = useNavigate({ from: '/issues' });
  const repos = useQuery(reposQuery);
  const total = (name: IssueGroup) =>
    counts === undefined ? undefined : issueGroups[name].reduce((sum, status) => sum + counts[status], 0);
  const shown = groups.filter((name) => search.status === name || total(name) !== 0);
  return (
    <div className={styles.filters}>
      <div className={styles.fields}>
        <SearchBox q={search.q} />
        <SelectField
          label="Repository"
          value={search.repo ?? ''}
          onChange={({ target }) => {
            void navigate({ search: (old) => ({ ...old, repo: target.value || undefined }) });
          }}
        >
          <option value="">All repositories</option>
          {repos.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {visibleText(name)}
            </option>
          ))}
        </SelectField>
      </div>
      {repos.data === undefined && repos.error !== null && (
        <ErrorNotice error={repos.error} onRetry={() => void repos.refetch()} />
      )}
      <nav className={styles.chips} aria-label="Status">
        <Chip label="All" search={{ ...search, status: undefined }} isOn={search.status === undefined} />
        {search.status === 'done' && <Chip label="Done" search={search} isOn count={total('done')} />}
        {shown.map((name) => (
          <Chip
            key={name}
            label={statusWords[name]}
            search={{ ...search, status: name }}
            isOn={search.status === name}
            count={total(name)}
          />
        ))}
      </nav>
    </div>
  );
}

interface ChipProps {
  readonly label: string;
  readonly search: InboxSearch;
  readonly isOn: boolean;
  readonly count?: number | undefined;
}

function Chip({ label, search, isOn, count }: ChipProps) {
  return (
    <Link
      to="/issues"
      search={search}
      // Otherwise the link without a status would be the current one beside the one that is chosen.
      activeOptions={{ exact: true }}
      className={styles.chip}
      data-on={isOn ? '' : undefined}
      aria-current={isOn}
    >
      {label}
      {count !== undefined && (
        <span className={styles.count}>
          {formatCount(count)}
          {count >= MAX_COUNTED_ISSUES && '+'}
        </span>
      )}
    </Link>
  );
}

function SearchBox({ q }: { readonly q: string | undefined }) {
  const navigate = useNavigate({ from: '/issues' });
  const input = useRef<HTMLInputElement>(null);
  useCommand({
    id: 'inbox.search',
    label: 'Search issues',
    group: 'Inbox',
    keys: '/',
    run: () => input.current?.select(),
  });
  return (
    <AddressSearch
      ref={input}
      label="Search"
      placeholder="Words of a title"
      maxLength={MAX_CHARACTERS}
      q={q}
      onSearch={(query) => void navigate({ search: (old) => ({ ...old, q: query }), replace: true })}
      aria-keyshortcuts="/"
    />
  );
}
