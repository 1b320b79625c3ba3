import { useState } from 'react';
import type { DiffLayout } from './diff-rows.ts';

/** How the user reads changes. */
export interface DiffPreferences {
  readonly layout: DiffLayout;
  /** How many columns a tab takes. */
  readonly tabWidth: number;
}

export const tabWidths: readonly number[] = [2, 4, 8];

const KEY = 'sluice.diff';
const initial: DiffPreferences = { layout: 'split', tabWidth: 4 };

/** The preferences of this browser, and what changes them. */
export function useDiffPreferences(): [DiffPreferences, (change: Partial<DiffPreferences>) => void] {
  const [preferences, setPreferences] = useState(readPreferences);
  return [
    preferences,
    (change) => {
      const next = { ...preferences, ...change };
      setPreferences(next);
      localStorage.setItem(KEY, JSON.stringify(next));
    },
  ];
}

function readPreferences(): DiffPreferences {
  try {
    const kept: Partial<DiffPreferences> | null = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return {
      layout: kept?.layout === 'unified' ? 'unified' : initial.layout,
      tabWidth: tabWidths.find((width) => width === kept?.tabWidth) ?? initial.tabWidth,
    };
  } catch {
    return initial;
  }
}
