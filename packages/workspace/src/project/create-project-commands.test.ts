import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createProjectCommands } from './create-project-commands.ts';
import { readTests } from './read-tests.ts';

const { signal } = new AbortController();
const hanging = new URL('./test/hangs.ts', import.meta.url);

it('reads the tests of an output in a thread', async () => {
  const output = readFileSync(new URL('./fixtures/pytest.txt', import.meta.url), 'utf8');
  expect(await createProjectCommands().readTests(output, signal)).toEqual(readTests(output));
});

it('compares a change in a thread', async () => {
  const file = { path: 'a.test.js', before: 'it("adds", () => { expect(sum(1)).toBe(1); });', after: null };
  expect(await createProjectCommands().findings({ files: [file], planned: [] }, signal)).toMatchObject([
    { kind: 'test_deleted', path: 'a.test.js' },
  ]);
});

it('compares the tests of a change in a thread', async () => {
  const files = [{ path: 'test/a.test.js', before: "it('adds', () => {});", after: null }];
  expect(await createProjectCommands().touchedTests(files, signal)).toEqual({ titles: ['adds'], more: -1 });
});

it('gives up on an output or a change whose reading hangs, and the event loop goes on meanwhile', async () => {
  const commands = createProjectCommands({ script: hanging, timeoutMs: 500 });
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 5);
  expect(await commands.readTests('', signal)).toBeNull();
  expect(await commands.findings({ files: [], planned: [] }, signal)).toBeNull();
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(5);
});

it('stops reading when its signal aborts', async () => {
  const controller = new AbortController();
  const reading = createProjectCommands({ script: hanging }).readTests('', controller.signal);
  setImmediate(() => controller.abort(new Error('stopped')));
  await expect(reading).rejects.toThrow('stopped');
});
