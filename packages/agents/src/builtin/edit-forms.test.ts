import { describe, expect, it } from 'vitest';
import { readEditForms } from './edit-forms.ts';
import type { EditForm, PatchOperation, RefusedForm } from './edit-operation.ts';
import { writeEditForm } from './write-edit-form.ts';

const diff = (text: string) => `\`\`\`diff\n${text}\`\`\`\n`;
const CHANGE = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';

function refusal(forms: readonly EditForm[]): RefusedForm {
  expect(forms.map((form) => form.kind)).toEqual(['refused']);
  return forms[0] as RefusedForm;
}

function patches(text: string): Pick<PatchOperation, 'action' | 'path' | 'newPath'>[] {
  return readEditForms(text).map((form) => {
    if (form.kind !== 'patch') throw new Error(`${form.kind}: ${JSON.stringify(form)}`);
    return { action: form.action, path: form.path, newPath: form.newPath };
  });
}

describe('a diff block', () => {
  it.each(['diff', 'patch', 'DIFF', 'diff -u'])('is read when the language is "%s"', (language) => {
    expect(patches(`\`\`\`${language}\n${CHANGE}\`\`\``)).toEqual([
      { action: 'change', path: 'src/a.ts', newPath: 'src/a.ts' },
    ]);
  });

  it.each(['', 'ts', 'difference', 'text diff'])('is not read when the language is "%s"', (language) => {
    expect(readEditForms(`\`\`\`${language}\n${CHANGE}\`\`\``)).toEqual([]);
  });

  it('is read from a text with CRLF', () => {
    expect(readEditForms(diff(CHANGE).replaceAll('\n', '\r\n'))).toEqual(readEditForms(diff(CHANGE)));
  });

  it('creates by /dev/null, deletes by /dev/null, and renames by the git header', () => {
    const created = '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+x\n';
    const deleted = '--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    const renamed = 'diff --git a/from.ts b/to.ts\nsimilarity index 100%\nrename from from.ts\nrename to to.ts\n';
    expect(patches(diff(created + deleted + renamed))).toEqual([
      { action: 'create', path: 'new.ts', newPath: 'new.ts' },
      { action: 'delete', path: 'old.ts', newPath: 'old.ts' },
      { action: 'rename', path: 'from.ts', newPath: 'to.ts' },
    ]);
  });

  it('creates and deletes empty files by the git header alone', () => {
    const text =
      'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n';
    expect(patches(diff(text)).map(({ action, path }) => [action, path])).toEqual([
      ['create', 'e'],
      ['delete', 'f'],
    ]);
  });

  it('keeps several hunks and several blocks in their order', () => {
    const two = `${CHANGE}@@ -10,2 +10,3 @@\n ten\n+more\n eleven\n`;
    const forms = readEditForms(`${diff(two)}\nand\n\n${diff(CHANGE.replaceAll('a.ts', 'b.ts'))}`);
    expect(forms.map((form) => (form.kind === 'patch' ? [form.path, form.patch.hunks.length] : form))).toEqual([
      ['src/a.ts', 2],
      ['src/b.ts', 1],
    ]);
  });

  it('takes names without prefixes, with a time stamp, with spaces, quoted, and with mnemonic prefixes', () => {
    const named = (from: string, to: string) => diff(CHANGE.replace('a/src/a.ts', from).replace('b/src/a.ts', to));
    expect(patches(named('src/a.ts', 'src/a.ts'))[0]?.path).toBe('src/a.ts');
    expect(patches(named('a/src/a.ts\t2026-01-01 10:00:00', 'b/src/a.ts\t2026-01-02 10:00:00'))[0]?.path).toBe(
      'src/a.ts',
    );
    expect(patches(named('a/my dir/a b.ts', 'b/my dir/a b.ts'))[0]?.path).toBe('my dir/a b.ts');
    expect(patches(named('"a/t\\"q.ts"', '"b/t\\"q.ts"'))[0]?.path).toBe('t"q.ts');
    expect(
      patches(
        `\`\`\`diff\ndiff --git i/x.ts w/x.ts\n${CHANGE.replaceAll(/[ab]\/src\/a/g, (n) => (n.startsWith('a') ? 'i/x' : 'w/x'))}\`\`\``,
      )[0]?.path,
    ).toBe('x.ts');
  });

  it('keeps a folder that is really called a', () => {
    expect(patches(diff(CHANGE.replace('b/src/a.ts', 'a/src/a.ts')))[0]?.path).toBe('a/src/a.ts');
  });

  it('puts wrong line counts right', () => {
    const forms = readEditForms(diff(CHANGE.replace('-1,3 +1,3', '-1,7 +1,9')));
    expect(forms).toEqual(readEditForms(diff(CHANGE)));
  });

  it.each([
    ['absolute', '/etc/passwd', 'absolute'],
    ['a parent', 'b/../../x', 'leads out'],
    ['.git', 'b/.git/hooks/pre-commit', '.git'],
    ['.GIT', 'b/.GIT/config', '.git'],
  ])('is refused for a path that is %s', (_name, path, reason) => {
    const text = diff(`--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+x\n`);
    expect(refusal(readEditForms(text)).reason).toContain(reason);
  });

  it.each([
    [
      'binary files',
      'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n',
      'binary',
    ],
    ['copies', 'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n', 'copies'],
    ['symlinks', 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n', '120000'],
    ['modes', 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', '100755'],
    ['hunks without a file', '@@ -1 +1 @@\n-a\n+b\n', 'names no file'],
    ['two names that are no rename', CHANGE.replace('b/src/a.ts', 'b/src/b.ts'), 'two files'],
    ['prose', 'remove the second line\n', 'no file header'],
    ['broken hunks', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\nnot a diff line\n', 'cannot'],
  ])('is refused for %s', (_name, text, reason) => {
    const { reason: said } = refusal(readEditForms(diff(text)));
    expect(said).toMatch(reason === 'cannot' ? /can be read/ : new RegExp(reason));
  });

  it('is refused as a whole when one of its files is', () => {
    expect(refusal(readEditForms(diff(`${CHANGE}--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n`))).reason).toContain(
      'leads out',
    );
  });
});

describe('a block with file=PATH', () => {
  it.each([
    ['```ts file=src/sum.ts\nx\n```', 'src/sum.ts'],
    ['```file=src/sum.ts\nx\n```', 'src/sum.ts'],
    ['~~~ts file=src/sum.ts\nx\n~~~', 'src/sum.ts'],
    ['```ts file="my dir/a b.ts"\nx\n```', 'my dir/a b.ts'],
    ["```ts title=x file='my dir/a b.ts' other\nx\n```", 'my dir/a b.ts'],
    ['```ts file=./src//sum.ts\nx\n```', 'src/sum.ts'],
    ['````ts file=src/sum.ts\nx\n````', 'src/sum.ts'],
  ])('gives the whole content: %s', (text, path) => {
    expect(readEditForms(text)).toEqual([{ kind: 'write', path, content: 'x\n' }]);
  });

  it('keeps blank lines, inner fences and trailing spaces to the letter', () => {
    const content = '\n# Title  \n\n```diff\n-not an edit\n```\n\n';
    expect(readEditForms(`\`\`\`\`md file=a.md\n${content}\`\`\`\`\n`)).toEqual([
      { kind: 'write', path: 'a.md', content },
    ]);
  });

  it('can be empty', () => {
    expect(readEditForms('```file=empty\n```')).toEqual([{ kind: 'write', path: 'empty', content: '' }]);
  });

  it('loses the indent of its list item and no more', () => {
    expect(readEditForms('1. Do this:\n\n   ```py file=a.py\n   if x:\n       y\n   ```\n')).toEqual([
      { kind: 'write', path: 'a.py', content: 'if x:\n    y\n' },
    ]);
  });

  it.each(['/etc/x', 'C:/x', '../x', 'a/../../x', '.git/config', 'a/.git/x', 'git~1/x', 'a\\b', 'dir/', '""', '.'])(
    'is refused for the path %s',
    (path) => {
      refusal(readEditForms(`\`\`\`ts file=${path}\nx\n\`\`\``));
    },
  );

  it('is refused when it is not closed, or a diff as well', () => {
    expect(refusal(readEditForms('```ts file=a.ts\nx\n')).reason).toContain('not closed');
    expect(refusal(readEditForms(`\`\`\`diff file=a.ts\n${CHANGE}\`\`\``)).reason).toContain('one of the two');
  });
});

describe('a replace line', () => {
  const replace = (from: string, to: string, all = false) => ({ kind: 'replace', path: 'src/a.ts', from, to, all });

  it.each([
    ['in `src/a.ts` replace `old` with `new`', replace('old', 'new')],
    ['In `src/a.ts`, replace `old` with `new`.', replace('old', 'new')],
    ['- in `src/a.ts` replace all `old` with `new`', replace('old', 'new', true)],
    ['2. [ ] in `src/a.ts` replace `old` with `new`;', replace('old', 'new')],
    ['in `src/a.ts` replace ` old ` with ` `', replace(' old ', ' ')],
    ['in `src/a.ts` replace `old` with ``', replace('old', '')],
    ['in `src/a.ts` replace ``a`b`` with `` `c` ``', replace('a`b', '`c`')],
    ['in `src/a.ts` replace `<!-- old -->` with `new`', replace('<!-- old -->', 'new')],
    ['in `src/a.ts` replace `replace` with `with`', replace('replace', 'with')],
  ])('is read: %s', (line, form) => {
    expect(readEditForms(`Some words.\n\n${line}\n`)).toEqual([form]);
  });

  it.each([
    'Please in `a` replace `old` with `new`',
    'in src/a.ts replace `old` with `new`',
    'in `src/a.ts` replace the timeout with `5`',
    '> in `src/a.ts` replace `old` with `new`',
    '    in `src/a.ts` replace `old` with `new`',
    '```\nin `src/a.ts` replace `old` with `new`\n```',
    '````md\n```diff\n-x\n```\nin `src/a.ts` replace `old` with `new`\n````',
    '<!-- in `src/a.ts` replace `old` with `new` -->',
    '<!--\nin `src/a.ts` replace `old` with `new`\n-->',
  ])('is not read where it is something else: %s', (text) => {
    expect(readEditForms(text)).toEqual([]);
  });

  it.each([
    ['in `../a.ts` replace `old` with `new`', 'leads out'],
    ['in `src/a.ts` replace `same` with `same`', 'the same'],
    ['in `src/a.ts` replace `old` with `new` in the second function', 'goes on'],
  ])('is refused: %s', (line, reason) => {
    expect(refusal(readEditForms(line)).reason).toContain(reason);
  });
});

// Each took seconds, several times in a run, for everybody on the server.
it.each([
  ['comments', '<!---->'.repeat(9_000)],
  ['comments with code spans', 'a<!--`-->'.repeat(7_000)],
  ['spaces behind a form', `in \`a\` replace \`b\` with \`c\`${' '.repeat(64_000)}x`],
])('reads an issue of nothing but %s in no time', (_what, text) => {
  const started = process.cpuUsage();
  readEditForms(text);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000); // microseconds of this process: other processes do not count
});

it('refuses more edits than a run can carry out', () => {
  const line = (index: number) => `in \`a.txt\` replace \`${index}.\` with \`x\`\n`;
  const lines = (count: number) => Array.from({ length: count }, (_, index) => line(index)).join('');
  expect(readEditForms(lines(300))).toHaveLength(300);
  expect(refusal(readEditForms(lines(301))).reason).toContain('301 edits');
});

describe('writing a form', () => {
  const texts = [
    diff(CHANGE),
    diff('--- /dev/null\n+++ b/new file.ts\n@@ -0,0 +1,2 @@\n+x\n+```\n\\ No newline at end of file\n')
      .replaceAll('```diff', '````diff')
      .replace(/```\n$/, '````\n'),
    diff('--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n'),
    diff('diff --git a/f.ts b/t.ts\nrename from f.ts\nrename to t.ts\n--- a/f.ts\n+++ b/t.ts\n@@ -1 +1 @@\n-x\n+y\n'),
    diff('diff --git a/e b/e\nnew file mode 100644\n'),
    diff('diff --git a/e b/e\ndeleted file mode 100644\n'),
    diff(`${CHANGE}@@ -10,3 +10,3 @@\n ten\n\n-old\n+new\n`),
    '````md file="a b.md"\n```ts\nx\n```\n````',
    '```file=fix.diff\nx\n```',
    "```file=it's\nx\n```",
    'in `src/a.ts` replace all `` `x` `` with ``',
    'in `` a`b `` replace `  ` with ` x `',
    'in `../x` replace `a` with `b`',
    '```ts file=/etc/x\ny\n```',
    '```ts file=never-closed\ny\n',
    diff('not a diff\n'),
  ];

  it.each(texts)('reads back to the letter: %j', (text) => {
    const forms = readEditForms(text);
    expect(forms).toHaveLength(1);
    expect(forms.flatMap((form) => readEditForms(writeEditForm(form)))).toEqual(forms);
  });
});
