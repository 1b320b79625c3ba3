import { expect, it } from 'vitest';
import { cancelWords } from './ending-words.ts';

it('says what is lost', () => {
  expect(cancelWords({ status: 'running' })).toMatch(/work of this round is lost.*cannot be retried/);
});
