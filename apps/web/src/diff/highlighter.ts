import { startWorker } from '../session/start-worker.ts';
import type { ChangedFile } from './changed-files.ts';
import type { LineTokens } from './highlight-lines.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts';
import workerAddress from './highlight-worker.ts?worker&url';
import { languageOf } from './language-of.ts';
import type { DiffLine } from './parse-patch.ts';

/** The tokens of a file's lines. */
export type FileTokens = ReadonlyMap<DiffLine, LineTokens>;

export interface Highlighter {
  /** Asks for the tokens of a file, once. It is drawn without them until they come, or for good. */
  request(file: ChangedFile): void;
  tokensOf(file: ChangedFile): FileTokens | undefined;
  subscribe(listener: () => void): () => void;
  close(): void;
}

const MOST_CHARACTERS = 1_000_000; // some seconds of work; longer files were made by a program
const LONGEST_LINE = 5_000; // minified code

/** Finds tokens in a worker, so that the page stays responsive. The worker starts with the first file that has a grammar. */
export function createHighlighter(): Highlighter {
  const asked = new Map<ChangedFile, number>();
  const waiting = new Map<number, ChangedFile>();
  const found = new Map<ChangedFile, FileTokens>();
  const listeners = new Set<() => void>();
  let worker: Worker | null = null;
  const start = () => {
    const started = startWorker(workerAddress, 'highlight');
    started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
      const file = waiting.get(data.id);
      if (file === undefined) return;
      waiting.delete(data.id);
      found.set(file, byLine(file, data));
      for (const listener of listeners) listener();
    });
    return started;
  };
  return {
    request(file) {
      const language = languageOf(file.path);
      if (language === null || asked.has(file) || !isFit(file)) return;
      const id = asked.size;
      asked.set(file, id);
      waiting.set(id, file);
      worker ??= start();
      const request: HighlightRequest = {
        id,
        language,
        blocks: sidesOf(file).map((lines) => lines.map(({ text }) => text)),
      };
      worker.postMessage(request);
    },
    tokensOf: (file) => found.get(file),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      worker?.terminate();
      worker = null;
      asked.clear();
      waiting.clear();
    },
  };
}

function isFit({ patch }: ChangedFile): boolean {
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length > 0 && characters <= MOST_CHARACTERS && lines.every(({ text }) => text.length <= LONGEST_LINE);
}

/** The lines of each hunk before the change and after it. */
function sidesOf({ patch }: ChangedFile): DiffLine[][] {
  return (patch?.hunks ?? []).flatMap(({ lines }) => [
    lines.filter(({ kind }) => kind !== 'added'),
    lines.filter(({ kind }) => kind !== 'deleted'),
  ]);
}

function byLine(file: ChangedFile, { blocks }: HighlightAnswer): FileTokens {
  const tokens = new Map<DiffLine, LineTokens>();
  for (const [side, lines] of sidesOf(file).entries())
    for (const [i, line] of lines.entries()) {
      const ofLine = blocks[side]?.[i];
      if (ofLine !== undefined) tokens.set(line, ofLine);
    }
  return tokens;
}
