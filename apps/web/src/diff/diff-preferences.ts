import { useState } from 'react';
import { keepText } from '../browser/kept-text.ts';
import { browserStorage } from '../browser/page-storage.ts';
import { useChangePreferences, usePreferences } from '../session/preferences.ts';
import type { DiffLayout } from './diff-rows.ts';

/** How the user reads changes. */
interface DiffPreferences {
  readonly layout: DiffLayout;
  /** How many columns a tab takes. */
  readonly tabWidth: number;
  /** Why the account did not take the layout; null where it did. */
  readonly error: unknown;
  setLayout(layout: DiffLayout): void;
  setTabWidth(tabWidth: number): void;
}

export const tabWidths: readonly number[] = [2, 4, 8];

const KEY = 'sluice.tab-width';
const INITIAL_TAB_WIDTH = 4;

/** The layout belongs to the account, as its settings say; the width of a tab to this browser. */
export function useDiffPreferences(): DiffPreferences {
  const { diff: layout } = usePreferences();
  const { mutate, error } = useChangePreferences();
  const [tabWidth, setTabWidth] = useState(keptTabWidth);
  return {
    layout,
    tabWidth,
    error,
    setLayout: (diff) => mutate({ diff }),
    setTabWidth: (width) => {
      setTabWidth(width);
      keepText(browserStorage, KEY, String(width));
    },
  };
}

function keptTabWidth(): number {
  const kept = Number(browserStorage.getItem(KEY));
  return tabWidths.find((width) => width === kept) ?? INITIAL_TAB_WIDTH;
}
