import type { Entry } from './timeline-item.ts';

/** What a row of a stage is given. */
export interface EntryProps<Kind extends Entry['kind'] = Entry['kind']> {
  readonly entry: Extract<Entry, { kind: Kind }>;
  /** The start of the stage that it belongs to. */
  readonly since?: string | undefined;
  readonly isOpen: boolean;
}
