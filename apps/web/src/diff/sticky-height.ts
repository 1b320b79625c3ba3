const FILE_HEADER_REM = 2.6;

/** How much of the window's top is covered by what sticks there, the header of a file included. */
export function stickyHeight(table: HTMLElement | null): number {
  if (table === null) return 0;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const header = getComputedStyle(table).getPropertyValue('--header-top');
  const probe = table.querySelector('[data-header]');
  const top = probe === null ? Number.parseFloat(header) || 0 : Number.parseFloat(getComputedStyle(probe).top) || 0;
  return top + FILE_HEADER_REM * rem;
}
