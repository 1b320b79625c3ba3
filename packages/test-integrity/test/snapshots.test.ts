import type { ChangedFile } from '@sluice/core/change';
import { expect, it } from 'vitest';
import { changeFindings, isJudgedFile } from '../src/change-findings.ts';

const RECORD = 'exports[`the cart 1`] = `1`;\n';
const path = 'src/__snapshots__/cart.test.ts.snap';
const rewritten: ChangedFile = { path, before: RECORD, after: RECORD.replace('`1`', '`2`') };

function kinds(file: ChangedFile, planned: readonly string[] = []): string[] {
  return changeFindings({ files: [file], planned }).map(({ kind, detail }) => `${kind}: ${detail}`);
}

it('tells of a rewritten record unless the plan names the file, whatever folder it names', () => {
  expect(kinds(rewritten, ['src', 'src/', 'src/__snapshots__/'])).toEqual([
    'snapshot_rewritten: The recorded output is rewritten, and the plan does not name the file.',
  ]);
  expect(kinds(rewritten, [path])).toEqual([]);
});

it.each(['test/__image_snapshots__/cart.png', 'e2e/cart.spec.ts-snapshots/cart.png', 'test/__screenshots__/cart.png'])(
  'tells of %s, which is no text, when it is changed or gone and not when it is new',
  (image) => {
    const change = { path: image, before: null, after: null };
    expect(kinds({ ...change, binary: 'changed' })).toEqual([
      expect.stringContaining('is not a text file, and is rewritten'),
    ]);
    expect(kinds({ ...change, binary: 'gone' })).toEqual([expect.stringContaining('is deleted')]);
    expect(kinds({ ...change, binary: 'new' })).toEqual([]);
    expect(kinds({ ...change, binary: 'changed' }, [image])).toEqual([]);
  },
);

it('does not tell of a moved image', () => {
  const gone: ChangedFile = { path: 'old/__image_snapshots__/cart.png', before: null, after: null, binary: 'gone' };
  const moved: ChangedFile = { path: 'new/__image_snapshots__/cart.png', before: null, after: null, binary: 'new' };
  expect(changeFindings({ files: [gone, moved], planned: [] })).toEqual([]);
});

it.each([path, 'test/__image_snapshots__/cart.png', 'testdata/cart.golden'])(
  'judges by %s, also where it is too large to be read',
  (one) => {
    expect(isJudgedFile(one)).toBe(true);
  },
);
