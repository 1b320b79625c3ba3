import { createContext } from 'react';

/** What a row can do, and what all rows know. */
export interface RowActions {
  readonly issueId: string;
  /** Opens or closes a stage or an entry. */
  toggle(seq: number, isStage: boolean): void;
  /** What the reader searches for. */
  readonly pattern: RegExp | null;
}

export const RowActionsContext = createContext<RowActions>({ issueId: '', toggle: () => {}, pattern: null });

/** Whether the row is the one that Tab leads to. Arrow keys choose it. */
export const IsActiveRow = createContext(false);
