export type { CodeHit, CodeIndex, CodeQuestion, CodeSymbol, SyntaxFault } from './code-index.ts';
export type { EmbedCall, Embedder, StoredVector, VectorStore } from './vector-store.ts';
