import type { CodeSymbol, SyntaxFault } from '@sluice/core/code-search';
import type { ChunkedBlob } from './index-protocol.ts';
import type { WordSource, WordVector } from './word-vector.ts';

/** A file to cut into chunks. Its path determines its language. */
export interface BlobFile {
  readonly blob: string;
  readonly path: string;
  readonly content: Uint8Array;
}

/** What the parsing thread can be asked. */
export type ParseOperations = {
  /** @param parse false: by lines only, which no file can make hang or fail */
  chunk: {
    readonly in: { readonly files: readonly BlobFile[]; readonly parse: boolean };
    readonly out: readonly ChunkedBlob[];
  };
  /** Counts the words of chunks, for an index that does not do it itself. */
  count: {
    readonly in: { readonly chunks: readonly WordSource[]; readonly mark: string };
    readonly out: readonly WordVector[];
  };
  outline: {
    readonly in: { readonly path: string; readonly text: string };
    readonly out: readonly CodeSymbol[] | null;
  };
  faults: {
    readonly in: { readonly path: string; readonly text: string };
    readonly out: readonly SyntaxFault[] | null;
  };
  close: { readonly in: Record<never, never>; readonly out: null };
};

export type ParseRequest = {
  [N in keyof ParseOperations]: {
    readonly id: number;
    readonly operation: N;
    readonly input: ParseOperations[N]['in'];
  };
}[keyof ParseOperations];
