import type { Ref } from 'react';
import { counted, formatCount } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import { StepSearch } from '../ui/step-search.tsx';
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

/** The toolbar that stays in sight above the lines: how much was read, the search, and the layout. */
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
  return (
    <div className={styles.bar}>
      <span className={styles.viewed}>{`${formatCount(viewed)} of ${counted(files, 'file')} viewed`}</span>
      <StepSearch
        ref={searchField}
        label="Search in the change"
        query={search.query}
        onQuery={search.setQuery}
        found={matchCount(search)}
        hasMatch={search.matches.length > 0}
        onStep={onStep}
      />
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

function matchCount({ searched, matches, isCut, current }: DiffToolbarProps['search']): string | null {
  if (searched === '') return null;
  if (matches.length === 0) return 'No match';
  const all = isCut ? `more than ${formatCount(matches.length)}` : formatCount(matches.length);
  return current === null ? `${all} found` : `${formatCount(current + 1)} of ${all}`;
}
