import { nearlySpelledOut } from '@sluice/server/spells-out-edits';
import { expect, it } from 'vitest';
import { exitCode } from './exit-code.ts';
import { modelMissingHere, modelMissingThere } from './model-missing.ts';

it('names the line that nearly is an edit, with the words to write', () => {
  const misses = nearlySpelledOut({ title: 'The mean is wrong', body: 'In `mean.js` replace n with count' });
  const sentence =
    'Line 1 below the title looks like a replacement: write on one line “in `mean.js` replace `n` with `count`”.';
  for (const error of [modelMissingHere(misses), modelMissingThere(misses)]) {
    expect(error).toMatchObject({ code: exitCode.modelMissing, message: expect.stringContaining(sentence) });
  }
  expect(modelMissingHere().message).not.toContain('looks like');
});
