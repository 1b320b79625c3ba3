import { type KeyboardEvent, type Ref, useId } from 'react';
import { counted, formatCount } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import hidden from '../ui/visually-hidden.module.css';
import type { DiffLayout } from './diff-rows.ts';
import styles from './diff-toolbar.module.css';

interface DiffToolbarProps {
  readonly viewed: number;
  readonly files: number;
  readonly layout: DiffLayout;
  /** The window is too narrow for two sides. */
  readonly isNarrow: boolean;
  readonly onLayout: (layout: DiffLayout) => void;
  readonly search: {
    readonly query: string;
    readonly searched: string;
    readonly matches: readonly unknown[];
    readonly isCut: boolean;
    readonly current: number | null;
    setQuery(query: string): void;
  };
  readonly onStep: (by: 1 | -1) => void;
  readonly searchField: Ref<HTMLInputElement>;
}

/** What stays in sight above the lines: how much was read, the search, and the layout. */
export function DiffToolbar({
  viewed,
  files,
  layout,
  isNarrow,
  onLayout,
  search,
  onStep,
  searchField,
}: DiffToolbarProps) {
  const id = useId();
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <div className={styles.bar}>
      <span className={styles.viewed}>{`${formatCount(viewed)} of ${counted(files, 'file')} viewed`}</span>
      <search className={styles.search}>
        <span role="status" className={styles.count}>
          {matchCount(search)}
        </span>
        <label htmlFor={id} className={hidden.hidden}>
          Search in the change
        </label>
        <input
          id={id}
          ref={searchField}
          type="search"
          className={styles.field}
          placeholder="Search in the change"
          value={search.query}
          onChange={(event) => search.setQuery(event.target.value)}
          onKeyDown={onKey}
        />
        <Button tone="quiet" className={styles.step} aria-label="Previous match" onClick={() => onStep(-1)}>
          ↑
        </Button>
        <Button tone="quiet" className={styles.step} aria-label="Next match" onClick={() => onStep(1)}>
          ↓
        </Button>
      </search>
      {!isNarrow && (
        <fieldset className={styles.layouts}>
          <legend className={hidden.hidden}>Layout</legend>
          {(['split', 'unified'] as const).map((name) => (
            <Button key={name} className={styles.layout} aria-pressed={layout === name} onClick={() => onLayout(name)}>
              {name === 'split' ? 'Split' : 'Unified'}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function matchCount({ searched, matches, isCut, current }: DiffToolbarProps['search']): string {
  if (searched === '') return '';
  if (matches.length === 0) return 'No match';
  const all = isCut ? `more than ${formatCount(matches.length)}` : formatCount(matches.length);
  return current === null ? `${all} found` : `${formatCount(current + 1)} of ${all}`;
}
