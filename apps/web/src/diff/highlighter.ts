import { startWorker } from '../browser/start-worker.ts';
import type { ChangedFile } from './changed-files.ts';
import type { HighlightAnswer, HighlightRequest, PackedTokens } from './highlight-worker.ts';
import workerAddress from './highlight-worker.ts?worker&url';
import type { DiffLine } from './parse-patch.ts';

/** The tokens of a file's lines. */
export interface FileTokens {
  /** Start, end and group of each token, one after the other. */
  get(line: DiffLine): Int32Array | undefined;
}

export interface Highlighter {
  /** Asks for the tokens of a file, once. It is drawn without them until they come, or for good. */
  request(file: ChangedFile): void;
  tokensOf(file: ChangedFile): FileTokens | undefined;
  subscribe(listener: () => void): () => void;
  close(): void;
}

const MAX_CHARACTERS = 1_000_000; // some seconds of work; longer files were made by a program
const LINES_OF_A_PIECE = 2_000; // so that the first lines of a long file are coloured soon
const REQUEST_AFTER_MS = 50; // the lines are drawn first
const MAX_LINE_LENGTH = 5_000; // minified code

/** Finds tokens in a worker, so that the page stays responsive. The worker starts with the first file that has a grammar. */
export function createHighlighter(): Highlighter {
  const requested = new Set<ChangedFile>();
  const works = new Map<number, Work>();
  const found = new Map<ChangedFile, FileTokens>();
  const listeners = new Set<() => void>();
  let worker: Worker | null = null;
  let nextId = 0;
  const start = () => {
    const started = startWorker(workerAddress, 'highlight');
    started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
      const work = works.get(data.id);
      if (work === undefined) return;
      work.done.set(data.block, data.packed);
      found.set(work.file, { get: (line) => tokensIn(work, line) });
      for (const listener of listeners) listener();
    });
    return started;
  };
  const send = (file: ChangedFile, language: string) => {
    if (!requested.has(file) || !isFit(file)) return;
    const id = nextId++;
    const blocks = blocksOf(file);
    works.set(id, { file, places: placesIn(blocks), done: new Map(), read: new Map() });
    worker ??= start();
    const texts = blocks.map((lines) => lines.map(({ text }) => text).join('\n'));
    const request: HighlightRequest = { id, language, blocks: texts };
    worker.postMessage(request);
  };
  return {
    request(file) {
      const language = languageOf(file.path);
      if (language === null || requested.has(file)) return;
      requested.add(file);
      setTimeout(() => send(file, language), REQUEST_AFTER_MS);
    },
    tokensOf: (file) => found.get(file),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      worker?.terminate();
      worker = null;
      requested.clear();
      works.clear();
    },
  };
}

function isFit({ patch }: ChangedFile): boolean {
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length > 0 && characters <= MAX_CHARACTERS && lines.every(({ text }) => text.length <= MAX_LINE_LENGTH);
}

/** The lines of each hunk before the change and after it, in pieces: what goes on over two of them is not known in the second. */
function blocksOf({ patch }: ChangedFile): DiffLine[][] {
  return (patch?.hunks ?? []).flatMap(({ lines }) => {
    const pieces: DiffLine[][] = [];
    for (let at = 0; at < lines.length; at += LINES_OF_A_PIECE) {
      const piece = lines.slice(at, at + LINES_OF_A_PIECE);
      pieces.push(
        piece.filter(({ kind }) => kind !== 'added'),
        piece.filter(({ kind }) => kind !== 'deleted'),
      );
    }
    return pieces;
  });
}

/** What the worker has to do for one file, and has done. */
interface Work {
  readonly file: ChangedFile;
  readonly places: ReadonlyMap<DiffLine, readonly [block: number, line: number]>;
  readonly done: Map<number, PackedTokens>;
  /** The same array each time, so that a line is not drawn again. */
  readonly read: Map<DiffLine, Int32Array>;
}

function placesIn(blocks: readonly (readonly DiffLine[])[]): Work['places'] {
  const places = new Map<DiffLine, readonly [number, number]>();
  for (const [block, lines] of blocks.entries()) for (const [i, line] of lines.entries()) places.set(line, [block, i]);
  return places;
}

function tokensIn({ places, done, read }: Work, line: DiffLine): Int32Array | undefined {
  const known = read.get(line);
  const place = places.get(line);
  if (known !== undefined || place === undefined) return known;
  const [block, i] = place;
  const packed = done.get(block);
  const tokens = packed?.tokens.subarray(i === 0 ? 0 : packed.ends[i - 1], packed.ends[i]);
  if (tokens !== undefined) read.set(line, tokens);
  return tokens;
}

const byExtension: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'cpp',
  cc: 'cpp',
  cjs: 'javascript',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  go: 'go',
  h: 'cpp',
  hpp: 'cpp',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  kts: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  scss: 'css',
  sh: 'bash',
  sql: 'sql',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** The grammar for a file by its name; null where there is none. */
function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return byExtension[name.slice(name.lastIndexOf('.') + 1)] ?? null;
}
