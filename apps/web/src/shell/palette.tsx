import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useState, useSyncExternalStore } from 'react';
import { Commands } from '../commands/use-command.ts';
import { client } from '../session/client.ts';
import { reposQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import field from '../ui/field.module.css';
import listbox from '../ui/listbox.module.css';
import { useDebounced } from '../ui/use-debounced.ts';
import { useListbox } from '../ui/use-listbox.ts';
import styles from './palette.module.css';
import { type PaletteGroup, paletteGroups } from './palette-items.ts';

const ASK_AFTER_MS = 150; // the server searches for what rests, not for each letter
const MAX_CHARACTERS = 200;
const MAX_ISSUES = 8;

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds a command, an issue or a repository by a few letters, and does or opens it. */
export function Palette({ isOpen, onClose }: PaletteProps) {
  return (
    <Dialog title="Search everything" isOpen={isOpen} onClose={onClose} wide>
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const { groups, isSearching, error, retry } = usePaletteGroups(query);
  const items = groups.flatMap((group) => group.items);
  const pick = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    onClose();
    // The dialog gives the focus back first; a command may then move it.
    setTimeout(() => item.run(), 50);
  };
  const box = useListbox({ count: items.length, isOpen: true, subject: query, onPick: pick });
  return (
    <>
      <input
        className={field.input}
        aria-label="Search for a command, an issue or a repository"
        placeholder="A command, an issue, a repository"
        maxLength={MAX_CHARACTERS}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={(event) => box.takeKey(event)}
        {...box.input}
      />
      <div id={box.listId} role="listbox" className={`${listbox.list} ${styles.list}`} aria-label="Matches">
        {groups.map((group, place) => (
          <Group key={group.title} group={group} first={countBefore(groups, place)} option={box.option} />
        ))}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {items.length === 0 && error === null && (
        <p role="status">{isSearching ? 'Searching…' : 'Nothing matches. Try fewer letters.'}</p>
      )}
    </>
  );
}

interface GroupProps {
  readonly group: PaletteGroup;
  /** The place of its first item among all. */
  readonly first: number;
  readonly option: ReturnType<typeof useListbox>['option'];
}

function Group({ group: { title, items }, first, option }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox is no fieldset
    <div role="group" aria-label={title}>
      <div className={styles.title} aria-hidden="true">
        {title}
      </div>
      {items.map(({ id, label, hint }, index) => (
        <div key={id} className={listbox.option} {...option(first + index)}>
          <span className={styles.label} dir="auto">
            {label}
          </span>
          <span className={styles.hint}>{hint}</span>
        </div>
      ))}
    </div>
  );
}

function countBefore(groups: readonly PaletteGroup[], place: number): number {
  return groups.slice(0, place).reduce((sum, { items }) => sum + items.length, 0);
}

interface Found {
  readonly groups: readonly PaletteGroup[];
  readonly isSearching: boolean;
  readonly error: unknown;
  retry(): void;
}

function usePaletteGroups(query: string): Found {
  const navigate = useNavigate();
  const registry = useContext(Commands);
  const commands = useSyncExternalStore(registry.subscribe, registry.list);
  const q = useDebounced(query.trim(), ASK_AFTER_MS);
  const issues = useQuery({
    queryKey: [...queryKeys.inbox, 'palette', q],
    queryFn: ({ signal }) =>
      client.issues.list.query({ ...(q === '' ? {} : { q }), fields: 'summary', limit: MAX_ISSUES }, { signal }),
    placeholderData: keepPreviousData,
  });
  const repos = useQuery(reposQuery);
  const failed = [issues, repos].filter(({ isError, isFetching }) => isError && !isFetching);
  return {
    groups: paletteGroups(query, {
      commands,
      issues: issues.data?.items ?? [],
      repos: repos.data ?? [],
      openIssue: (id) => void navigate({ to: '/issues/$id', params: { id } }),
      openRepo: (id) => void navigate({ to: '/repos/$id', params: { id } }),
    }),
    isSearching: q !== query.trim() || issues.isFetching || repos.isFetching,
    error: failed[0]?.error ?? null,
    retry() {
      for (const { refetch } of failed) void refetch();
    },
  };
}
