import type { MarkdownBlock } from './markdown-blocks.ts';

/** Words above a list or a block by which it tells what happens or what must not be done, and asks for nothing. */
const ASKS_FOR_NOTHING =
  /\b(?:reproduc\w*|repro|tried|attempt\w*|not|never|don['’]t|avoid|expect\w*|actual\w*|observed|currently|logs?|outputs?|says?|prints?|error|trace|run|runs|running|example)\b/i;

/** The same of a heading, which is about the whole section: `Error handling` and `Expected change` ask for something. */
const HEADS_NO_REQUEST =
  /\breproduc\w*\b|\brepro\b|\b(?:do(?:es)? not|don['’]t|never|tried)\b|^not\b|^(?:actual|expected|current|observed)(?: (?:behaviou?r|results?|outputs?|state))?$|^(?:[\w-]+ )?(?:logs?|outputs?|(?:stack ?)?traces?|examples?)$/i;

const isHeading = (text: string) => /^#{1,6}\s|^\*\*[^*]+\*\*:?$/.test(text);
const isItem = (text: string) => /^(?:[-*+]|\d{1,9}[.)])\s/.test(text);

/**
 * The heading or the line above a place that says that what follows is not asked for: `Steps to reproduce`, `Do not:`.
 * Null where there is none. Of the lines above only those lead in that end with a colon, or begin the paragraph.
 */
export function leadInWithoutRequest(blocks: readonly MarkdownBlock[], at: number): string | null {
  const own = blocks[at];
  const isInList = own?.kind === 'fence' || (own?.kind === 'line' && isItem(own.text));
  for (let place = at - 1; place >= 0; place -= 1) {
    const above = blocks[place];
    if (above?.kind !== 'line') continue;
    if (isHeading(above.text)) return HEADS_NO_REQUEST.test(titleOf(above.text)) ? above.text : null;
    const isLeadIn = above.text.endsWith(':') || (isInList && place === at - 1 && !isItem(above.text));
    if (isLeadIn) return ASKS_FOR_NOTHING.test(above.text) ? above.text : null;
  }
  return null;
}

/** A heading without its marks. */
function titleOf(heading: string): string {
  return heading
    .replaceAll('**', '')
    .replace(/^#+\s+/, '')
    .replace(/[\s#:]+$/, '');
}
