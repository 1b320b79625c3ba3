import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram, isSoakRun } from '../../../packages/testing/src/index.ts';
import type { Block } from '../markdown-page.ts';
import { sceneOf } from '../scenes.ts';
import { openScratchReader } from '../scratch-reader.ts';
import { checkout, pages, shellBlocks } from '../written-pages.ts';

// Usual way: scripts/docs/docs.test.ts

/** The blocks that are really done. */
const running = (blocks: readonly Block[]) => shellBlocks(blocks).filter(({ marks }) => marks.notRun === null);

describe('what a page says is true', () => {
  let ran = 0;
  let built: string;
  beforeAll(async () => {
    built = dirname(await builtProgram('sluice'));
  });
  afterAll(() => {
    const parsed = pages.flatMap(({ blocks }) => shellBlocks(blocks)).filter(({ marks }) => marks.notRun !== null);
    const why = parsed.map(({ place, marks }) => `\n  ${place}: ${marks.notRun}`);
    console.log(`${ran} blocks of commands ran, ${parsed.length} were only parsed:${why.join('')}`);
  });

  const done = pages.filter(({ path, blocks }) => running(blocks).length > 0 && (isSoakRun || !sceneOf(path).isLong));
  it.each(done)('the commands of $path do it', async (page) => {
    await using reader = await openScratchReader({ checkout, built }, sceneOf(page.path));
    for (const block of running(page.blocks)) {
      const { code, output, expected } = await reader.run(block);
      ran += 1;
      expect(code, `${block.place} ended otherwise:\n${output}`).toBe(block.marks.exitCode);
      if (expected !== null) expect(output, block.place).toMatch(expected);
    }
  });
});
