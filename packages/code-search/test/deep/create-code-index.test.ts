import { openSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openIndexFile } from '../../src/lexical/test/index-file.ts';

// Usual way: packages/code-search/src/lexical/create-code-index.test.ts

const signal = new AbortController().signal;
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${line(n + 1)}\n`).join('');

describe('the file of the code index', () => {
  it('rebuilds in the middle of an update when damage shows only then', async () => {
    await using file = openIndexFile();
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `f${n}.ts`,
        lines(60, (m) => `${String.fromCharCode(97 + (n % 26), 97 + n / 26)}quark ${m}`),
      ]),
    );
    await file.index.update(file.repo.commit(files), signal);
    await file.index.close();
    // The first page (header and schema) stays, so that opening succeeds.
    const size = readFileSync(file.path).length;
    writeSync(openSync(file.path, 'r+'), Buffer.alloc(size - 4_096, 0xa5), 0, size - 4_096, 4_096);
    file.reopen();
    expect(await file.index.update(file.repo.commit({ 'new.ts': 'const needle = 1;\n' }), signal)).toMatchObject({
      index: { files: 301 },
    });
    expect(file.rebuilt).toHaveLength(1);
    expect(await file.found('needle')).toEqual(['new.ts']);
    expect(await file.found('qbquark')).toEqual(['f42.ts']);
  });
});
