import { expect, it } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { readPlannedFiles } from './planned-files.ts';

const FILES = { 'a.js': 'a'.repeat(3_000), 'b.js': 'b'.repeat(5_000), 'c.js': 'c' };
const pathsRead = async (paths: readonly string[], room = Number.POSITIVE_INFINITY) => {
  const { files } = memoryContext({ files: FILES }).context.workspace;
  return (await readPlannedFiles(files, { paths, room })).map(({ path }) => path);
};

it('holds all files of a plan that are small together', async () => {
  expect(await pathsRead(['a.js', 'b.js'])).toEqual(['a.js', 'b.js']);
});

it('holds none where together they are long, since a part of each may be enough', async () => {
  expect(await pathsRead(['a.js', 'b.js', 'c.js'])).toEqual([]);
});

it('holds none that take more than a tenth of the room', async () => {
  expect(await pathsRead(['a.js'], 30_000)).toEqual(['a.js']);
  expect(await pathsRead(['a.js'], 29_000)).toEqual([]);
});

it('holds none where one has a tag in it, which would not stand there exactly', async () => {
  const { files } = memoryContext({ files: { 'a.jsx': '<Step title="One" />', 'b.js': 'b' } }).context.workspace;
  const room = Number.POSITIVE_INFINITY;
  expect(await readPlannedFiles(files, { paths: ['a.jsx', 'b.js'], room })).toEqual([]);
});

it('leaves out files that are yet to be made', async () => {
  expect(await pathsRead(['c.js', 'new.js'])).toEqual(['c.js']);
});
