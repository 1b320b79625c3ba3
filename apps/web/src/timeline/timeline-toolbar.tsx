import { counted } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { type TimelineFilter, timelineFilters } from './row-layout.ts';
import styles from './timeline-toolbar.module.css';

const labels: Readonly<Record<TimelineFilter, string>> = {
  all: 'All',
  messages: 'Messages',
  commands: 'Commands',
  failures: 'Failures',
};

interface TimelineToolbarProps {
  readonly filter: TimelineFilter;
  readonly onFilter: (filter: TimelineFilter) => void;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** How many events were found; null: nothing is searched for. */
  readonly found: number | null;
  /** Absent: there is nothing to open. */
  readonly openAll?: { readonly isOpen: boolean; readonly onToggle: () => void } | undefined;
}

/** The view of the timeline: a filter, a search, everything opened or closed. */
export function TimelineToolbar({ filter, onFilter, query, onQuery, found, openAll }: TimelineToolbarProps) {
  return (
    <div className={styles.toolbar}>
      <fieldset className={styles.filters}>
        <legend className={hidden.hidden}>Show</legend>
        {timelineFilters.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.filter}
            aria-pressed={one === filter}
            onClick={() => onFilter(one)}
          >
            {labels[one]}
          </button>
        ))}
      </fieldset>
      <input
        type="search"
        className={styles.search}
        aria-label="Search the events"
        placeholder="Search the events"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
      />
      <span role="status" className={styles.found}>
        {found !== null && counted(found, 'event')}
      </span>
      {openAll !== undefined && (
        <Button tone="quiet" onClick={openAll.onToggle}>
          {openAll.isOpen ? 'Close all' : 'Open all'}
        </Button>
      )}
    </div>
  );
}
