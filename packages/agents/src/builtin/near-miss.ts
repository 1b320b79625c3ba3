import { writeCodeSpan } from './code-span.ts';
import type { MarkdownBlock } from './markdown-blocks.ts';
import { isPathLike, labelledFile, tokensIn } from './spelled-line.ts';

/**
 * Near misses of an edit at this place, as a sentence with the words to write; none for ordinary text. It is only a
 * hint, never carried out, so it may be wrong about prose.
 */
export function nearMiss(blocks: readonly MarkdownBlock[], at: number): string[] {
  const block = blocks[at];
  if (block?.kind === 'fence') return nearMissOfFence(block, blocks[at - 1]);
  if (block === undefined) return [];
  const { text, line } = block;
  if (/^(?:diff --git |@@ -\d|--- a\/|\+\+\+ b\/)/.test(text)) {
    // A diff without a fence has many such lines: the first one speaks for all.
    const before = blocks.slice(0, at).some((one) => one.kind === 'line' && /^(?:diff --git |--- a\/)/.test(one.text));
    return before ? [] : [`Line ${line} looks like a diff: put it between a line \`\`\`diff and a line \`\`\`.`];
  }
  const tokens = tokensIn(text);
  const words = tokens?.flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : [])) ?? wordsOf(text);
  const spans = tokens?.flatMap(({ kind, text: span }) => (kind === 'span' ? [span] : [])) ?? [];
  if (!/[`"“']/.test(text) && spans.length === 0) return [];
  const paths = spans.filter(isPathLike);
  const [path] = paths;
  const texts = spans.filter((span) => !isPathLike(span));
  const others = texts.length > 1 ? texts : spans.filter((span) => span !== path);
  const inPath = writeCodeSpan(path ?? 'PATH');
  const each = texts.length > 1 && paths.length > 1 ? ' for each file' : '';
  if (words.slice(0, 4).some((word) => /^(?:replace|change|substitute)$/.test(word)) || isCorrection(text, texts)) {
    const [one, other] = others.length > 0 ? others : (unmarkedTexts(text, path) ?? []);
    const [from = 'OLD', to = 'NEW'] = namesNewFirst(text) ? [other, one] : [one, other];
    const exact = `in ${inPath} replace ${writeCodeSpan(from)} with ${writeCodeSpan(to)}`;
    return [`Line ${line} looks like a replacement: write on one line${each} ${quoted(exact)}.`];
  }
  if (words[0] === 'rename' || words[0] === 'move') {
    const folder = spans.find((span) => /^[\w@.+/-]+\/$/.test(span));
    const [old, fresh = folder === undefined || old === undefined ? undefined : folder + old.replace(/^.*\//, '')] =
      paths;
    if (old !== undefined && fresh !== undefined) {
      return [`Line ${line} looks like a rename: write ${quoted(`Rename \`${old}\` to \`${fresh}\``)}.`];
    }
    const all = `in ${inPath} replace all ${writeCodeSpan(others[0] ?? 'OLD')} with ${writeCodeSpan(others[1] ?? 'NEW')}`;
    return [
      `Line ${line} looks like a rename: write ${quoted('Rename `OLD/PATH` to `NEW/PATH`')} for a file, or ${quoted(all)} for a name in it.`,
    ];
  }
  if ((words[0] === 'delete' || words[0] === 'remove') && paths.length > 1 && texts.length === 0) {
    return [`Line ${line} looks like several deletions: write a line ${quoted(`Delete ${inPath}`)} for each file.`];
  }
  if (words[0] === 'delete' || words[0] === 'remove') {
    return [
      `Line ${line} looks like a deletion: write ${quoted(`Delete ${inPath}`)} for a file, or ${quoted(`in ${inPath} replace ${writeCodeSpan(others[0] ?? 'OLD')} with \`\``)} for text in it.`,
    ];
  }
  return [];
}

/** Whether a line says what a text should be: `a` → `b`, `a` should be `b`, `b` instead of `a`. */
function isCorrection(text: string, texts: readonly string[]): boolean {
  return texts.length > 1 && /(?:^|\s)(?:->|=>|→|should (?:be|read)|instead of|rather than)(?=\s)/.test(text);
}

/** "Substitute NEW for OLD", "use NEW instead of OLD". */
function namesNewFirst(text: string): boolean {
  return /\bsubstitute\b.*\bfor\b|\b(?:instead of|rather than)\b/i.test(text);
}

/** The problem of a block that is an edit by its words, but stands where no edit is expected. */
export function notAskedFor(block: MarkdownBlock | undefined, leadIn: string): string {
  const place = block?.kind === 'fence' ? 'The block at line' : 'Line';
  return `${place} ${block?.line} looks like an edit, but stands below ${quoted(leadIn)}: if it is asked for, put it under a heading such as ${quoted('## Change')}.`;
}

const MAX_TEXT_LENGTH = 80; // longer ones are prose

/** The two texts of `replace a - b with a + b in PATH`, which has no marks around them. */
function unmarkedTexts(text: string, path: string | undefined): [string, string] | null {
  const place = path === undefined ? '' : path.replaceAll(/[^\w/]/g, '\\$&');
  const bare = path === undefined ? text : text.replace(new RegExp(`\\bin ["'\`]?${place}["'\`]?[,:]?`, 'i'), '');
  const found = /\b(?:replace|change|substitute) +(\S.*?) +(?:with|by|to|into) +(\S.*?)[\s.,;]*$/i.exec(bare);
  const [, from = '', to = ''] = found ?? [];
  const isShort = from !== '' && from.length <= MAX_TEXT_LENGTH && to.length <= MAX_TEXT_LENGTH;
  return isShort && !/[`"“”]/.test(from + to) ? [from, to] : null;
}

function nearMissOfFence(
  block: Extract<MarkdownBlock, { kind: 'fence' }>,
  before: MarkdownBlock | undefined,
): string[] {
  const { line, info, content } = block;
  if (/^(?:diff --git |--- \S+.*\n\+\+\+ |@@ -\d)/m.test(content) && !/^(?:diff|patch)/i.test(info)) {
    return [`The block at line ${line} looks like a diff: begin it with \`\`\`diff.`];
  }
  if (/^(?:\*\*\* Begin Patch|<{5,} SEARCH)/m.test(content)) {
    return [
      `The block at line ${line} looks like a patch in another form: write a diff, and begin it with \`\`\`diff.`,
    ];
  }
  const label = before?.kind === 'line' ? (labelledFile(before.text) ?? spanPath(before.text)) : null;
  if (label === null) return [];
  if (
    before?.kind === 'line' &&
    /\b(?:add|append|insert|prepend)\b/i.test(before.text) &&
    labelledFile(before.text) === null
  ) {
    return [
      `The block at line ${line} looks like lines to add to ${label}: write a diff that adds them, and begin it with \`\`\`diff.`,
    ];
  }
  return [
    `The block at line ${line} looks like the content of ${label}: begin it with \`\`\`file=${label} to write the whole file.`,
  ];
}

function spanPath(text: string): string | null {
  return tokensIn(text)?.find(({ kind, text: span }) => kind === 'span' && isPathLike(span))?.text ?? null;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** In typographic quotes, because the sentence itself holds backticks. */
function quoted(text: string): string {
  return `“${text}”`;
}

/** Says of which text the lines are that near misses count: a person reads them beside the whole issue. */
export function linesOf(misses: readonly string[], where: 'below the title' | 'of the guidance'): string[] {
  return misses.map((miss) => miss.replace(/^(?:Line|The block at line) \d+/, `$& ${where}`));
}

/** Whether a sentence of a plan is a near miss. */
export function isNearMiss(sentence: string): boolean {
  return /^(?:(?:The title|(?:Line|The block at line) \d+(?: below the title| of the guidance)?) looks like |A block beside )/.test(
    sentence,
  );
}
