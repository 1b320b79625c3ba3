import { readFormAt } from './edit-forms.ts';
import type { EditForm } from './edit-operation.ts';
import { type FencedBlock, type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts';
import { nearMiss, notAskedFor } from './near-miss.ts';
import { isPathLike, labelledFile, spelledBlockReplacement, spelledLine } from './spelled-line.ts';

/** An edit as a person spelled it out. */
export interface SpelledForm {
  readonly form: EditForm;
  /** It is a block beside a path, which may be an excerpt: only carried out where the file is new. */
  readonly onlyNew: boolean;
}

export interface SpelledForms {
  readonly forms: readonly SpelledForm[];
  /** What nearly is an edit, each as a sentence with the exact words to write. */
  readonly misses: readonly string[];
}

interface Found {
  readonly forms: readonly SpelledForm[];
  /** How many blocks it takes. */
  readonly used: number;
}

/**
 * The edits that a person's text spells out: the exact forms, and the usual ways to say the same. Each of those is first put
 * into its exact form and then read, so a plan holds exact forms only. What could mean two things is none; it is a near miss.
 * So is what stands where nothing is asked for, such as the steps that reproduce a bug.
 */
export function readSpelledForms(text: string): SpelledForms {
  const blocks = markdownBlocks(text);
  const forms: SpelledForm[] = [];
  const misses: string[] = [];
  for (let at = 0; at < blocks.length; ) {
    const exact = exactAt(blocks, at);
    const found = exact ?? variationAt(blocks, at);
    const leadIn = exact === null && found !== null ? leadInWithoutRequest(blocks, at) : null;
    if (found === null) misses.push(...nearMiss(blocks, at));
    else if (leadIn !== null) misses.push(notAskedFor(blocks[at], leadIn));
    else forms.push(...found.forms);
    at += found?.used ?? 1;
  }
  return { forms, misses };
}

function exactAt(blocks: readonly MarkdownBlock[], at: number): Found | null {
  const { forms, used } = readFormAt(blocks, at);
  return forms.length === 0 ? null : { forms: forms.map((form) => ({ form, onlyNew: false })), used };
}

function variationAt(blocks: readonly MarkdownBlock[], at: number): Found | null {
  const block = blocks[at];
  if (block === undefined) return null;
  return block.kind === 'line' ? lineAt(blocks, at) : fenceAt(block);
}

const MAX_LINES = 4;

function lineAt(blocks: readonly MarkdownBlock[], at: number): Found | null {
  const [first, second, third, fourth] = blocks.slice(at, at + MAX_LINES);
  if (first?.kind !== 'line' || isContinuedBy(blocks, at - 1)) return null;
  let joined = '';
  for (let count = 1; count <= MAX_LINES; count += 1) {
    const next = blocks[at + count - 1];
    if (next?.kind !== 'line' || next.line !== first.line + count - 1) break;
    joined = `${joined} ${next.text}`.trim();
    const exact = spelledLine(joined);
    if (exact !== null && !isContinuedBy(blocks, at + count - 1)) return { forms: read(exact), used: count };
  }
  if (second?.kind !== 'fence') return null;
  const head = spelledBlockReplacement(first.text);
  if (
    head !== null &&
    third?.kind === 'line' &&
    fourth?.kind === 'fence' &&
    /^(?:with|by|to)(?: this)?:?$/i.test(third.text)
  ) {
    return { forms: read([head, second.source, 'with', fourth.source].join('\n')), used: MAX_LINES };
  }
  const label = exactAt([second], 0) === null ? labelledFile(first.text) : null;
  return label === null ? null : { forms: creation(label, second), used: 2 };
}

/**
 * Whether the sentence of this line goes on in the next one of its paragraph: "Delete `a.js`" may go on with "only if it is
 * unused", and may be what "Never" in the line before speaks of.
 */
function isContinuedBy(blocks: readonly MarkdownBlock[], at: number): boolean {
  const [line, next] = [blocks[at], blocks[at + 1]];
  if (line?.kind !== 'line' || next?.kind !== 'line' || next.line !== line.line + 1) return false;
  const isEnded = /[.;:!?]$/.test(line.text) || /^#/.test(line.text);
  if (isEnded || !/^[\p{Ll}(,–-]/u.test(next.text) || /^[-*+]\s/.test(next.text)) return false;
  const isForm = (one: MarkdownBlock, place: number) =>
    exactAt(blocks, place) !== null || (one.kind === 'line' && spelledLine(one.text) !== null);
  return !isForm(line, at) || !isForm(next, at + 1);
}

function fenceAt(block: FencedBlock): Found | null {
  if (/^(?:text|txt)?$/i.test(block.info) && looksLikeDiff(block.content)) {
    return { forms: read(block.source.replace(/^([`~]+).*/, '$1diff')), used: 1 };
  }
  const named = /^(?:\S+\s+)?file:\s*(\S+)$/.exec(block.info)?.[1];
  if (named !== undefined && isPathLike(named)) {
    return { forms: read(block.source.replace(/^([`~]+).*/, `$1 file=${named}`)), used: 1 };
  }
  const path = pathBeside(block);
  return path === null ? null : { forms: creation(path, block), used: 1 };
}

function looksLikeDiff(content: string): boolean {
  return /^(?:diff --git |--- \S+.*\n\+\+\+ )/m.test(content);
}

/** The path that the block's opening or its first line, a comment, names; null for none. */
function pathBeside({ info, content }: FencedBlock): string | null {
  const attribute = /(?:^|\s)(?:title|filename|path|name)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(info);
  const word = /^(?:[\w+#-]+[\s:])?(\S+)$/.exec(info)?.[1];
  const comment = /^\s*(?:\/\/|#|--|\/\*|<!--)\s*(\S+)\s*(?:\*\/|-->)?\n/.exec(content)?.[1];
  const found = [attribute?.[1] ?? attribute?.[2] ?? attribute?.[3], word, comment];
  return found.find((path) => path !== undefined && isPathLike(path) && /[/.]/.test(path)) ?? null;
}

/** A diff that creates the file, which does not apply where there is one. */
function creation(path: string, { content, closed }: FencedBlock): SpelledForm[] {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  if (!closed) return read(`${fence}file=${path}\n${content}`);
  const lines = content.split('\n').slice(0, -1);
  const header = `--- /dev/null\n+++ b/${path}\n`;
  const diff = lines.length === 0 ? '' : `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
  return read(`${fence}diff\n${header}${diff}${fence}`).map(({ form }) => ({ form, onlyNew: true }));
}

function read(exact: string): SpelledForm[] {
  return readFormAt(markdownBlocks(exact), 0).forms.map((form) => ({ form, onlyNew: false }));
}

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
function leadInWithoutRequest(blocks: readonly MarkdownBlock[], at: number): string | null {
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
