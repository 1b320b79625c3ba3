import { revealInvisible } from '@sluice/core/text';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import type { AdviceFile } from './advice-file.ts';
import { advicePlace } from './advice-place.ts';
import type { AdviceSource } from './open-advice.ts';

/** A file of the repository for its contributors, or the part of it that an agent is given. */
export interface Advice {
  readonly path: string;
  readonly text: string;
}

/** The advice that an agent is given. */
export interface ChosenAdvice {
  readonly shown: readonly Advice[];
  /** The files that are not shown, one a line. */
  readonly named: readonly string[];
}

export const NO_ADVICE: ChosenAdvice = { shown: [], named: [] };

/** How much of it a model is given, in bytes. */
export interface AdviceRoom {
  readonly shown: number;
  readonly named: number;
}

/** What an agent has been given of it before. */
export interface KnownAdvice {
  /** The paths of files that are shown, by the name of their content. */
  readonly shown: ReadonlyMap<string, string>;
  isNamed(path: string): boolean;
}

const MAX_SHOWN = 32 * 1024; // about 9,000 tokens: the longest files of known projects have half of it
const MAX_SHOWN_SHARE = 0.1; // of the model's whole request
const MAX_NAMED = 2_000;
const MAX_NAMED_SHARE = 0.01;
const MIN_PART = 400; // bytes: of less a name is enough

/** The room that a request of so many characters has for advice. */
export function adviceRoom(characters: number): AdviceRoom {
  return {
    shown: Math.floor(Math.min(MAX_SHOWN, MAX_SHOWN_SHARE * characters)),
    named: Math.floor(Math.min(MAX_NAMED, MAX_NAMED_SHARE * characters)),
  };
}

/** The bytes that an advice takes of the room. */
export function sizeOfAdvice({ path, text }: Advice): number {
  return Buffer.byteLength(path) + 2 + Buffer.byteLength(text);
}

/**
 * Chooses from advice, the most important first: what fits is shown whole, the first that does not in part, and all
 * others are named. Invisible characters are spelled out, as in an issue. A text that is shown already is only named, and
 * not even that where it is of the same folder.
 */
export async function chooseAdvice(
  candidates: readonly AdviceFile[],
  { source, files, room, known }: ChoosingAdvice,
): Promise<ChosenAdvice> {
  const pathOf = new Map(known.shown);
  const shown: Advice[] = [];
  const cut: { readonly file: AdviceFile; readonly part: Part }[] = [];
  const others: NamedFile[] = [];
  let left = room.shown;
  for (const file of candidates) {
    const same = pathOf.get(file.id);
    if (same === file.path || known.isNamed(file.path)) continue;
    if (same !== undefined) {
      if (folderOf(same) !== folderOf(file.path))
        others.push({ file, words: `the same text as ${same}`, toRead: false });
      continue;
    }
    if (file.offer !== null) {
      others.push({ file, words: file.offer, toRead: true });
      continue;
    }
    const advice = { path: file.path, text: revealInvisible(file.text) };
    if (!file.isCut && sizeOfAdvice(advice) <= left) {
      left -= sizeOfAdvice(advice);
      shown.push(advice);
    } else {
      const part = partOf(advice, left - MAX_NOTE);
      if (part === null) {
        others.push({ file, words: '', toRead: true });
        continue;
      }
      left = 0;
      shown.push({ path: file.path, text: part.text });
      cut.push({ file, part });
    }
    pathOf.set(file.id, file.path);
  }
  const named = others.slice(0, MAX_NAMED_FILES);
  const read = [...cut, ...named.filter(({ toRead }) => toRead)].map(({ file }) => file);
  const unchanged = await source.unchanged(read, files);
  const lines = named.map(({ file, words, toRead }) => {
    const said = !toRead || unchanged.has(file.path) ? words : ELSEWHERE;
    return said === '' ? `- ${file.path}` : `- ${file.path}: ${revealInvisible(said)}`;
  });
  const notes = new Map(cut.map(({ file, part }) => [file.path, noteOn(file, part, unchanged.has(file.path))]));
  return {
    shown: shown.map(({ path, text }) => ({ path, text: notes.has(path) ? `${text}\n${notes.get(path)}` : text })),
    named: fitting(lines, { bytes: room.named, of: others.length }),
  };
}

interface ChoosingAdvice {
  readonly source: AdviceSource;
  /** The working tree, where an agent would read the rest. */
  readonly files: Pick<WorkspaceFiles, 'read'>;
  readonly room: AdviceRoom;
  readonly known: KnownAdvice;
}

/** A file that is not shown. */
interface NamedFile {
  readonly file: AdviceFile;
  readonly words: string;
  /** Its text is not shown anywhere. */
  readonly toRead: boolean;
}

const MAX_NAMED_FILES = 20; // each is compared with the working tree
const MAX_NOTE = 200; // bytes besides the path
const ELSEWHERE = 'the working tree has another text, which is no advice';

interface Part {
  readonly text: string;
  /** How many lines it has; null where it ends within one. */
  readonly lines: number | null;
}

/** The first lines of an advice that fit; null where that is too little to be of use. */
function partOf({ path, text }: Advice, bytes: number): Part | null {
  const room = bytes - 2 * Buffer.byteLength(path) - 2;
  if (room < MIN_PART) return null;
  let [end, lines, size] = [0, 0, 0];
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', end)) {
    size += Buffer.byteLength(text.slice(end, next + 1));
    if (size > room) break;
    end = next + 1;
    lines += 1;
  }
  if (end >= MIN_PART) return { text: text.slice(0, end).trimEnd(), lines };
  const cut = Buffer.from(text.slice(0, room))
    .subarray(0, room)
    .toString()
    .replace(/\ufffd$/, '');
  return { text: `${cut}…`, lines: null };
}

function noteOn({ path, firstLine }: AdviceFile, { lines }: Part, isUnchanged: boolean): string {
  if (!isUnchanged) return `(${path} goes on; ${ELSEWHERE}.)`;
  const from = firstLine === null || lines === null ? '' : ` with start_line ${firstLine + lines}`;
  return `(${path} goes on: read_file${from} shows the rest.)`;
}

/** The lines that fit, and how many are missing. */
function fitting(
  lines: readonly string[],
  { bytes, of }: { readonly bytes: number; readonly of: number },
): readonly string[] {
  let left = bytes;
  const fit: string[] = [];
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    fit.push(line);
  }
  const missing = of - fit.length;
  return missing === 0 || fit.length === 0 ? fit : [...fit, `… and ${missing} more`];
}

function folderOf(path: string): string {
  return advicePlace(path)?.folder ?? '';
}
