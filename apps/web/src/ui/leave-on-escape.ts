import type { KeyboardEvent } from 'react';

/** Escape gives the keys back to the page, so that the shortcuts work again. */
export function leaveOnEscape({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Escape') currentTarget.blur();
}
