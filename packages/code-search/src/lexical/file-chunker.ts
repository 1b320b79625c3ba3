import { createKeyedMutex } from '@sluice/core/async';
import type { CodeSymbol, SyntaxFault } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { WorkThread } from '../thread/work-thread.ts';
import type { ChunkedBlob } from './index-protocol.ts';
import type { BlobFile, ParseOperations } from './parse-protocol.ts';
import type { WordSource, WordVector } from './word-vector.ts';

const CALL_TIMEOUT_MS = 30_000; // the thread itself stops after twelve seconds, where it can
const MEMORY_MB = 256;
/** Each costs up to the time-out: a repository made of such files is cut by lines from here on. */
const MAX_DEATHS = 4;

/** Cuts files into chunks in a separate thread, and survives files that crash or block it. */
export interface FileChunker {
  /** Takes the files of one update, message by message. @returns their chunks, in the files' order */
  begin(): (files: readonly BlobFile[]) => Promise<readonly ChunkedBlob[]>;
  /** Counts the words of chunks, in their order. @param mark stands in front of each word */
  count(chunks: readonly WordSource[], mark: string): Promise<readonly WordVector[]>;
  /** Null too where the file kills the parser. */
  outline(file: { readonly path: string; readonly text: string }): Promise<readonly CodeSymbol[] | null>;
  /** Null too where the file kills the parser. */
  syntaxFaults(file: { readonly path: string; readonly text: string }): Promise<readonly SyntaxFault[] | null>;
  close(): Promise<void>;
}

/**
 * Creates a chunker that parses files on a thread of its own.
 *
 * @param options.script the thread's code, where it is not our own
 */
export function createFileChunker(
  options: { readonly timeoutMs?: number | undefined; readonly script?: URL | undefined } = {},
): FileChunker {
  const thread = new WorkThread<ParseOperations>({
    script: options.script ?? new URL('./parse-worker.ts', import.meta.url),
    name: 'code-parser',
    subject: 'The code index',
    timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
    memoryMb: MEMORY_MB,
  });
  // One message at a time, so that a death is its own doing and the time-out counts its work alone.
  const parsing = createKeyedMutex();
  return {
    begin() {
      let deaths = 0;
      const chunk = async (files: readonly BlobFile[]): Promise<readonly ChunkedBlob[]> => {
        const parse = deaths < MAX_DEATHS;
        try {
          return await thread.call('chunk', { files, parse });
        } catch (error) {
          if (!parse || isShutdown(error)) throw error;
          deaths += 1;
        }
        if (files.length === 1) return thread.call('chunk', { files, parse: false });
        // One of them did it, and alone does it again; the others keep their symbols.
        const chunked: ChunkedBlob[] = [];
        for (const file of files) chunked.push(...(await chunk([file])));
        return chunked;
      };
      return (files) => parsing.run('parse', () => chunk(files));
    },
    count(chunks, mark) {
      const sources = chunks.map(({ paths, names, text }) => ({ paths, names, text }));
      return parsing.run('parse', () => thread.call('count', { chunks: sources, mark }));
    },
    outline: (file) => unlessItDies(() => parsing.run('parse', () => thread.call('outline', file))),
    syntaxFaults: (file) => unlessItDies(() => parsing.run('parse', () => thread.call('faults', file))),
    close: () => thread.close(),
  };
}

/** What the thread answers; null when the file killed it. */
async function unlessItDies<T>(parse: () => Promise<T>): Promise<T | null> {
  try {
    return await parse();
  } catch (error) {
    if (isShutdown(error)) throw error;
    return null;
  }
}

function isShutdown(error: unknown): boolean {
  return error instanceof AppError && error.code === 'shutting_down';
}
