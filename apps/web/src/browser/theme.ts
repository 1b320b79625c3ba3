import { keepText } from './kept-text.ts';
import { browserStorage } from './page-storage.ts';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'sluice.theme';

/** Applies a theme, and keeps it in this browser so that the next page is drawn in it before the preferences are read. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  keepText(browserStorage, KEY, theme);
}

/** Applies the theme that this browser had last. */
export function applyLastTheme(): void {
  const last = browserStorage.getItem(KEY);
  applyTheme(themes.find((theme) => theme === last) ?? 'system');
}
