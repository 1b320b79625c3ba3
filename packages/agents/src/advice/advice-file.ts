import type { BaseFile } from '@sluice/core/workspace';
import type { AdvicePlace } from './advice-place.ts';
import { type Glob, readGlobs } from './glob.ts';
import { readRuleHeader } from './rule-header.ts';

/** A file of the repository for its contributors, as the base commit has it. */
export interface AdviceFile extends BaseFile {
  /** What it says, without its header; of a very long one the beginning. */
  readonly text: string;
  /** What is missing at the end of `text`. */
  readonly isCut: boolean;
  /** The line of the file that `text` begins with; null where it is parts of the file. */
  readonly firstLine: number | null;
  /** For a rule that no file asks for: what it is good for. An agent gets its name. */
  readonly offer: string | null;
}

export interface PlacedFile extends BaseFile {
  readonly place: AdvicePlace;
}

export interface ReadAdvice extends AdviceFile, PlacedFile {
  /** The files that a rule is about; null for what is about all files of its folder. */
  readonly globs: readonly Glob[] | null;
}

const MAX_TEXT = 33 * 1024; // characters that are kept of a file: more is never shown

/** What a file says; null where it says nothing. */
export function readAdviceFile(file: PlacedFile, content: string | null): ReadAdvice | null {
  if (content === null) return null;
  const plain = content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const { kind } = file.place;
  const header = kind === 'rule' ? readRuleHeader(plain) : null;
  const isParts = kind === 'contributing';
  const body = isParts ? sectionsOnTestsAndStyle(plain) : withoutLines(plain, header?.lines ?? 0);
  const blank = /^(?:[^\S\n]*\n)*/.exec(body)?.[0] ?? '';
  const text = body.slice(blank.length).trimEnd();
  if (text === '') return null;
  const isForAll = header === null ? !isInstruction(file) : header.isForAll || (header.globs ?? []).some(isEverything);
  const isOffered = kind === 'rule' && !isForAll && (header?.globs ?? null) === null;
  return {
    ...file,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    isCut: text.length > MAX_TEXT,
    firstLine: isParts ? null : 1 + (header?.lines ?? 0) + blank.split('\n').length - 1,
    offer: isOffered ? (header?.description ?? '') : null,
    globs: isForAll || header?.globs == null ? null : readGlobs(header.globs),
  };
}

/** Copilot's instructions apply by their header alone. */
function isInstruction({ path, place }: PlacedFile): boolean {
  return place.kind === 'rule' && /\.instructions\.md$/i.test(path);
}

function isEverything(glob: string): boolean {
  return ['*', '**', '**/*'].includes(glob);
}

function withoutLines(text: string, lines: number): string {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = text.indexOf('\n', at);
    if (end < 0) return '';
    at = end + 1;
  }
  return text.slice(at);
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ABOUT_CODE = /\b(?:tests?|testing|style|styleguide|lint|linting|linter|format|formatting|conventions?|coding)\b/i;

/** The sections whose headings are about tests or style, with the sections below them; most of the rest is for people. */
function sectionsOnTestsAndStyle(text: string): string {
  const kept: string[] = [];
  let level: number | null = null; // of the heading that is kept
  let inFence = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    const [, marks, title = ''] = (inFence ? null : HEADING.exec(line)) ?? [];
    if (marks !== undefined && (level === null || marks.length <= level)) {
      level = ABOUT_CODE.test(title) ? marks.length : null;
    }
    if (level !== null) kept.push(line);
  }
  return kept.join('\n');
}
