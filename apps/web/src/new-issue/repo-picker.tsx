import type { Repo } from '@sluice/client';
import { type KeyboardEvent, useState } from 'react';
import { fuzzyRank } from '../commands/fuzzy-rank.ts';
import { visibleText } from '../format/visible-text.ts';
import { TextField } from '../ui/field.tsx';
import listbox from '../ui/listbox.module.css';
import { useListbox } from '../ui/use-listbox.ts';
import styles from './repo-picker.module.css';

interface RepoPickerProps {
  readonly repos: readonly Repo[];
  readonly chosen: Repo | undefined;
  readonly error?: string | undefined;
  readonly onChoose: (repo: Repo) => void;
}

/** Chooses a repository by typing a part of its name. */
export function RepoPicker({ repos, chosen, error, onChoose }: RepoPickerProps) {
  const [query, setQuery] = useState<string | null>(null); // null: closed
  const isOpen = query !== null;
  const matches = isOpen ? fuzzyRank(repos, query, ({ name }) => name) : [];
  const pick = (index: number) => {
    const repo = matches[index];
    if (repo !== undefined) onChoose(repo);
    setQuery(null);
  };
  const box = useListbox({ count: matches.length, isOpen, subject: query ?? '', onPick: pick });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey) return;
    if (!isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setQuery('');
    } else if (isOpen && event.key === 'Escape') setQuery(null);
    else if (isOpen) box.takeKey(event);
  };
  return (
    <div className={styles.picker}>
      <TextField
        label="Repository"
        placeholder={chosen === undefined ? 'Choose a repository' : visibleText(chosen.name)}
        value={query ?? (chosen === undefined ? '' : visibleText(chosen.name))}
        onChange={({ target }) => setQuery(target.value)}
        onClick={() => setQuery((now) => now ?? '')}
        onBlur={() => setQuery(null)}
        onKeyDown={onKeyDown}
        required
        error={error}
        {...box.input}
      />
      {isOpen && (
        <div id={box.listId} role="listbox" className={`${listbox.list} ${styles.popup}`} aria-label="Repositories">
          {matches.map((repo, index) => (
            <div key={repo.id} className={listbox.option} {...box.option(index)}>
              <bdi>{visibleText(repo.name)}</bdi>
            </div>
          ))}
        </div>
      )}
      {isOpen && matches.length === 0 && (
        <p className={`${styles.popup} ${styles.none}`} role="status">
          No repository of this name.
        </p>
      )}
    </div>
  );
}
