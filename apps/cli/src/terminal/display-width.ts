import widthWithin from 'fast-string-truncated-width';

/** The columns that `text` takes on a terminal: two for a wide character or an emoji, none for a colour. */
export function displayWidth(text: string): number {
  return widthWithin(text).width;
}

const ELLIPSIS = '…';

/** Cuts plain text to at most `width` columns; text that was cut ends in `…`. Never cuts a character in two. */
export function truncateText(text: string, width: number): string {
  if (width < 1) return '';
  const { truncated, index } = widthWithin(text, { limit: width, ellipsis: ELLIPSIS });
  return truncated ? `${text.slice(0, index)}${ELLIPSIS}` : text;
}
