import { afterEach, describe, it } from 'vitest';
import { createFileChunker, type FileChunker } from '../../src/lexical/file-chunker.ts';
import { expectTakenByItsLines, mortalParser } from '../../src/lexical/test/chunked-files.ts';

// Usual way: packages/code-search/src/lexical/file-chunker.test.ts

let chunker: FileChunker;
afterEach(() => chunker.close());

describe('the parsing thread', () => {
  it('takes a file that keeps it by its lines, and keeps the symbols of all others', async () => {
    chunker = createFileChunker({ script: mortalParser, timeoutMs: 3_000 });
    await expectTakenByItsLines(chunker, 'HANGS HERE');
  });
});
