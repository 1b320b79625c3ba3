import { expect, it } from 'vitest';
import { toolSubject } from './tool-subject.ts';

it('names the argument that says most', () => {
  expect(toolSubject({ start_line: 1, path: 'src/sum.ts' })).toBe('src/sum.ts');
  expect(toolSubject({ command: 'npm test\n--silent' })).toBe('npm test --silent');
});

it('shows all arguments where none is known, and nothing where there are none', () => {
  expect(toolSubject({ depth: 2 })).toBe('{"depth":2}');
  expect(toolSubject({})).toBe('');
});
