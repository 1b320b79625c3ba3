import { expect, it } from 'vitest';
import { withLeanHeaders } from './diff-lines.ts';

const body = '@@ -1 +1 @@\n-a\n+b\n';

it.each([
  [
    'of a change only the two names',
    `diff --git a/x.js b/x.js\nindex 0ae3b4f..0ec9293 100644\n--- a/x.js\n+++ b/x.js\n${body}`,
    `--- a/x.js\n+++ b/x.js\n${body}`,
  ],
  [
    'of a new file that it is new',
    `diff --git a/x.js b/x.js\nnew file mode 100644\nindex 0000000..0ec9293\n--- /dev/null\n+++ b/x.js\n${body}`,
    `diff --git a/x.js b/x.js\nnew file mode 100644\n--- /dev/null\n+++ b/x.js\n${body}`,
  ],
  [
    'of a new mode both modes',
    'diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n',
    'diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n',
  ],
  [
    'of a binary file its name',
    'diff --git a/x.png b/x.png\nindex 0ae3b4f..0ec9293 100644\nBinary files a/x.png and b/x.png differ\n',
    'diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n',
  ],
])('leaves %s', (_, diff, lean) => {
  expect(withLeanHeaders(diff)).toBe(lean);
  expect(withLeanHeaders(diff + diff)).toBe(lean + lean);
});

it('leaves every line of a hunk, also one that looks like a header', () => {
  const lines = [
    '+index 0ae3b4f..0ec9293',
    '-diff --git a/y b/y',
    ' --- a/y',
    '+a\rdiff --git a/y b/y',
    '+--- y',
    '---- a/y',
  ];
  const hunk = `@@ -1,3 +1,3 @@\n${lines.join('\n')}\n`;
  expect(withLeanHeaders(`diff --git a/x b/x\n--- a/x\n+++ b/x\n${hunk}`)).toBe(`--- a/x\n+++ b/x\n${hunk}`);
});
