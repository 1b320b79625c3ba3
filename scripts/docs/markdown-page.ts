import { readFileSync } from 'node:fs';

/**
 * Marks above a block of commands, in comments that a page does not show:
 *
 *     <!-- exits with 9 -->            the block ends with this code
 *     <!-- answers: {"E-mail": "…"} -->  runs at a terminal, where each of these is asked and typed
 *     <!-- runs until: TEXT -->        stays in the background once it has said this
 *     <!-- not run: why -->            is only parsed, and its calls of `sluice` are held against the command
 */
interface Marks {
  readonly exitCode: number;
  readonly answers: Readonly<Record<string, string>> | null;
  readonly runsUntil: string | null;
  readonly notRun: string | null;
}

export interface Block {
  /** The page and its line, for a failure's message. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  readonly marks: Marks;
  /** The output that the page shows: a `text` block right behind it. `…` stands for anything. */
  readonly output: string | null;
}

export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly target: string; readonly place: string }[];
  readonly codeSpans: readonly { readonly text: string; readonly place: string }[];
}

const FENCE = /^ *(`{3,}) *([\w-]*)/;
const COMMENT = /^<!-- (.*) -->$/;

/** Reads a page of the documentation into what tests look at. @throws on a mark that says nothing known */
export function readPage(path: string, root: string): Page {
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  const page = { path, blocks: [] as Block[], anchors: new Set<string>(), links: [] as Page['links'][number][] };
  const codeSpans: Page['codeSpans'][number][] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const place = `${path}:${at + 1}`;
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const end = endOfBlock(lines, at);
      const text = lines.slice(at + 1, end).join('\n');
      const marks = marksAbove(lines, at);
      page.blocks.push({ place, language: fence[2] ?? '', text, marks, output: outputBelow(lines, end) });
      at = end;
      continue;
    }
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) page.anchors.add(freshAnchor(heading, page.anchors));
    for (const [, target = ''] of line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      page.links.push({ target, place });
    }
    for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) codeSpans.push({ text, place });
  }
  return { ...page, codeSpans };
}

function endOfBlock(lines: readonly string[], start: number): number {
  const ticks = FENCE.exec(lines[start] ?? '')?.[1] ?? '';
  const end = lines.findIndex((line, at) => at > start && line.trim() === ticks);
  return end === -1 ? lines.length : end;
}

function marksAbove(lines: readonly string[], fence: number): Marks {
  const said: string[] = [];
  for (let at = fence - 1; COMMENT.test(lines[at] ?? ''); at -= 1) said.push(COMMENT.exec(lines[at] ?? '')?.[1] ?? '');
  const marks = { exitCode: 0, answers: null, runsUntil: null, notRun: null };
  return Object.assign({}, marks, ...said.map(readMark)) as Marks;
}

function readMark(text: string): Partial<Marks> {
  const [, name, value = ''] = /^(exits with|answers:|runs until:|not run:) (\S.*)$/.exec(text) ?? [];
  if (name === 'exits with') return { exitCode: Number(value) };
  if (name === 'answers:') return { answers: JSON.parse(value) };
  if (name === 'runs until:') return { runsUntil: value };
  if (name === 'not run:') return { notRun: value };
  // The source of a generated page, or the file that a block shows.
  if (/^(Generated from|The text of) /.test(text)) return {};
  throw new Error(`"<!-- ${text} -->" above a block says nothing that is known.`);
}

function outputBelow(lines: readonly string[], end: number): string | null {
  const next = lines.findIndex((line, at) => at > end && line.trim() !== '');
  if (next === -1 || FENCE.exec(lines[next] ?? '')?.[2] !== 'text') return null;
  return lines.slice(next + 1, endOfBlock(lines, next)).join('\n');
}

/** The anchor that GitHub makes of a heading. */
function freshAnchor(heading: string, taken: ReadonlySet<string>): string {
  const anchor = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  let fresh = anchor;
  for (let count = 1; taken.has(fresh); count += 1) fresh = `${anchor}-${count}`;
  return fresh;
}
