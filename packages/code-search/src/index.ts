export { createChromaVectorStore } from './chroma/create-chroma-vector-store.ts';
export { createCodeIndex } from './lexical/create-code-index.ts';
export { createPgCodeIndex } from './lexical-postgres/create-pg-code-index.ts';
export { createSemanticIndex } from './semantic/create-semantic-index.ts';
export { createSqliteVectorStore } from './semantic/create-sqlite-vector-store.ts';
