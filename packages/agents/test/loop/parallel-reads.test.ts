import { describe, expect, it } from 'vitest';
import { aPlanFor, memoryContext } from './memory-context.ts';
import { call, scriptedCoder } from './scripted-coder.ts';

const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}.txt`, `text ${index}`]));
const reads = Object.keys(files).map((path, index) => call(`${index}`, 'read_file', { path }));

/** Files of which none is read before so many reads have begun. */
function filesThatWaitFor(count: number) {
  const own = memoryContext({ files: { ...files, 'a.txt': 'A' } }).files;
  const begun = Promise.withResolvers<void>();
  let reading = 0;
  let most = 0;
  const read = async (path: string) => {
    reading += 1;
    most = Math.max(most, reading);
    if (reading >= count) begun.resolve();
    await begun.promise;
    const text = await own.read(path);
    reading -= 1;
    return text;
  };
  return { realFiles: { ...own, read }, most: () => most };
}

describe('calls of one answer', () => {
  it('that read run together, eight at a time, with their results in the order of the calls in one write', async () => {
    const { realFiles, most } = filesThatWaitFor(8);
    // The request would hold planned files, read one after the other.
    const coder = scriptedCoder([{ calls: reads }, { text: 'Done.' }], { realFiles, plan: aPlanFor([]) });
    await coder.run();
    expect(most()).toBe(8);
    expect(coder.kinds().filter((kind) => /^result \d/.test(kind))).toEqual(reads.map(({ id }) => `result ${id}`));
    expect(
      coder
        .results()
        .slice(0, 50)
        .map(({ summary }) => summary),
    ).toEqual(reads.map((_, index) => expect.stringContaining(`text ${index}`)));
    expect(coder.appends()).toBeLessThan(10); // one write for the fifty results
  });

  it('that change something run alone and in order, so that a read after an edit sees it', async () => {
    const edit = call('e', 'edit_file', { path: 'a.txt', old_text: 'A', new_text: 'B' });
    const read = (id: string) => call(id, 'read_file', { path: 'a.txt' });
    const calls = [read('1'), edit, read('2'), call('c', 'run_command', { command: 'make' }), read('3'), read('4')];
    const coder = scriptedCoder([{ calls }, { text: 'Done.' }], { files: { 'a.txt': 'A' } });
    await coder.run();
    expect(
      coder
        .results()
        .slice(0, 6)
        .map(({ summary }) => summary),
    ).toEqual([
      expect.stringContaining('\nA'),
      'Edited a.txt.',
      expect.stringContaining('\nB'),
      expect.stringContaining('Exit code 0'),
      expect.stringContaining('\nB'),
      expect.stringContaining('\nB'),
    ]);
    expect(coder.kinds().filter((kind) => /begin|checkpoint/.test(kind))).toEqual(['begin e', 'begin c', 'checkpoint']);
  });

  it('all end before the failure of one ends the work, and none of them is recorded', async () => {
    let ended = 0;
    const own = memoryContext({ files }).files;
    const read = async (path: string) => {
      if (path === 'f0.txt') throw new Error('broken');
      const text = await own.read(path);
      ended += 1;
      return text;
    };
    const coder = scriptedCoder([{ calls: reads }, { text: 'Done.' }], { realFiles: { ...own, read } });
    await expect(coder.run()).rejects.toThrow('broken');
    expect(ended).toBe(49);
    expect(coder.kinds().filter((kind) => kind.startsWith('result'))).toEqual([]);
  });
});
