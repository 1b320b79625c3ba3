/** A stretch of a text that a page made from its Markdown does not show; offsets in UTF-16 units. */
export interface HiddenMarkup {
  readonly start: number;
  readonly end: number;
  /** What stands in it, without what makes it hidden. */
  readonly content: string;
}

interface Form {
  readonly open: string;
  /** Where the search for the end begins, counted from the start: `<!-->` is a whole comment. */
  readonly from: number;
  readonly close: string;
  /** Whether it hides all that follows where its end is missing. */
  readonly openEnded: boolean;
}

const forms: readonly Form[] = [
  { open: '<!--', from: 2, close: '-->', openEnded: true },
  { open: '<![CDATA[', from: 9, close: ']]>', openEnded: false },
  { open: '<?', from: 2, close: '?>', openEnded: false },
];

/** A link that is defined and leads nowhere, as people use it for remarks: `[//]: # (not shown)`. */
const remark = /^[ >]{0,20}\[[^\]\n]{0,200}\]:[ \t]*(?:#|<>)[ \t]+(?<content>[("'][^\n]*)$/gm;

/**
 * HTML comments and their kin, and remarks made of links. Also those in a block of code, where a page would show them:
 * where a block ends is a matter on which readers of Markdown differ, and one warning too many does no harm.
 */
export function hiddenMarkup(text: string): HiddenMarkup[] {
  const remarks = [...text.matchAll(remark)].map(({ 0: whole, index, groups }) => ({
    start: index,
    end: index + whole.length,
    content: groups?.content ?? '',
  }));
  return [...forms.flatMap((form) => ofForm(text, form)), ...remarks].sort((a, b) => a.start - b.start);
}

function ofForm(text: string, { open, from, close, openEnded }: Form): HiddenMarkup[] {
  const found: HiddenMarkup[] = [];
  let start = text.indexOf(open);
  while (start >= 0) {
    const closed = text.indexOf(close, start + from);
    if (closed < 0 && !openEnded) break; // and none of those that follow has an end
    const end = closed < 0 ? text.length : closed + close.length;
    found.push({ start, end, content: text.slice(start + open.length, closed < 0 ? end : closed) });
    start = text.indexOf(open, end);
  }
  return found;
}
