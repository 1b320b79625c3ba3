import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it.each(['.', '/home/me/shop', 'https://example.com/a.git'])('leaves %s readable', (text) => {
  expect(shellWord(text)).toBe(text);
});

it.each(['', 'my shop', "it's", '$(touch x)', 'a;b', '`x`', '*', '~', '"', 'a\nb', "'"])(
  'quotes %j as one word of a real shell',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);
