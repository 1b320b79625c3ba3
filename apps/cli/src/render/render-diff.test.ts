import { expect, it } from 'vitest';
import { withColour, withoutColour } from '../terminal/style.ts';
import { renderDiff } from './render-diff.ts';

const DIFF = `diff --git a/q.sql b/q.sql
index 1..2 100644
--- a/q.sql
+++ b/q.sql
@@ -1,3 +1,3 @@
 select 1;
--- old comment
+++ new comment
`;

it('leaves the diff unchanged without colour', () => expect(renderDiff(DIFF, withoutColour)).toBe(DIFF.trimEnd()));

it('colours a line by its place in the diff, not by how it looks', () => {
  const lines = renderDiff(`${DIFF}diff --git a/b b/b\n--- a/b\n`, withColour).split('\n');
  const opening = lines.map((line) => (line.startsWith('\x1b') ? line.slice(2, line.indexOf('m')) : ''));
  expect(opening).toEqual(['1', '1', '1', '1', '36', '', '31', '32', '1', '1']);
});

it('escapes the control characters of a hostile file', () => {
  expect(renderDiff('@@ -1 +1 @@\n+evil()\r+safe()\n+\x1b[2Jx\n', withoutColour)).toBe(
    '@@ -1 +1 @@\n+evil()␍+safe()\n+␛[2Jx',
  );
});

it('counts the lines that it leaves out', () => {
  expect(renderDiff('1\n2\n3\n', withoutColour, 2)).toBe('1\n2\n… 1 more line');
  expect(renderDiff('1\n2\n3\n4\n', withoutColour, 2)).toBe('1\n2\n… 2 more lines');
  expect(renderDiff('1\n2\n', withoutColour, 2)).toBe('1\n2');
});
