import { describe, expect, it } from 'vitest';
import { readEditForms } from './edit-forms.ts';
import type { EditForm } from './edit-operation.ts';
import { isNearMiss } from './near-miss.ts';
import { readSpelledForms } from './spelled-forms.ts';
import { writeEditForm } from './write-edit-form.ts';

const P = 'src/mean.js';
const REPLACED = { kind: 'replace', path: P, from: 'sum + 1', to: 'sum', all: false };
const BARE_DIFF = `--- a/${P}\n+++ b/${P}\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n`;
const DIFF = `diff --git a/${P} b/${P}\n${BARE_DIFF}`;
const CODE = 'export const one = 1;\n';
const fence = (info: string, content: string) => `\`\`\`${info}\n${content}\`\`\``;

const formsOf = (text: string): EditForm[] => readSpelledForms(text).forms.map(({ form }) => form);

/** Each natural variation of the forms, and what becomes of it. `miss` names what the sentence must hold. */
const replacements: [string, string][] = [
  ['exact', `in \`${P}\` replace \`sum + 1\` with \`sum\``],
  ['a capital, a comma and a full stop', `In \`${P}\`, replace \`sum + 1\` with \`sum\`.`],
  ['in a bullet', `- in \`${P}\` replace \`sum + 1\` with \`sum\``],
  ['the file at the end', `Replace \`sum + 1\` with \`sum\` in \`${P}\``],
  ['by', `in \`${P}\` replace \`sum + 1\` by \`sum\``],
  ['change … to', `In \`${P}\` change \`sum + 1\` to \`sum\``],
  ['quotes', `In ${P}, replace "sum + 1" with "sum"`],
  ['please', `Please replace \`sum + 1\` with \`sum\` in the file \`${P}\`.`],
  ['over three lines', `In \`${P}\`:\nreplace \`sum + 1\`\nwith \`sum\``],
  ['two code blocks', `In \`${P}\` replace\n${fence('js', 'sum + 1\n')}\nwith\n${fence('js', 'sum\n')}`],
];
const diffs: [string, string][] = [
  ['exact', fence('diff', DIFF)],
  ['wrong line numbers', fence('diff', DIFF.replaceAll('1,3', '9,3'))],
  ['wrong counts', fence('diff', DIFF.replace('-1,3 +1,3', '-1,7 +1,9'))],
  ['no a/ and b/', fence('diff', BARE_DIFF.replaceAll(/ [ab]\//g, ' '))],
  ['tildes', `~~~diff\n${DIFF}~~~`],
  ['a plain fence', fence('', DIFF)],
];
const files: [string, string][] = [
  ['file=', fence(`js file=${P}`, CODE)],
  ['file="…"', fence(`js file="${P}"`, CODE)],
  ['file: …', fence(`js file: ${P}`, CODE)],
];
const newFiles: [string, string][] = [
  ['the path behind the language', fence(`js ${P}`, CODE)],
  ['the path alone', fence(P, CODE)],
  ['title="…"', fence(`js title="${P}"`, CODE)],
  ['the path in bold above', `**${P}**\n${fence('js', CODE)}`],
  ['"Create … with:"', `Create \`${P}\` with:\n${fence('js', CODE)}`],
];
const refused: [string, string, RegExp][] = [
  ['no file header', fence('diff', '@@ -1 +1 @@\n-a\n+b\n'), /names no file/],
  ['only lines with marks', fence('diff', '-a\n+b\n'), /no file header/],
  ['a path outside', 'Replace `a` with `b` in `../x`', /leads out/],
  ['a deletion in .git', 'Delete `.git/config`', /\.git/],
  ['a block without an end', `**${P}**\n\`\`\`js\n${CODE}`, /not closed/],
];
const misses: [string, string, string][] = [
  [
    'words after it',
    `Replace \`a\` with \`b\` in \`${P}\`, but only in the loop`,
    `Line 1 looks like a replacement: write on one line “in \`${P}\` replace \`a\` with \`b\`”.`,
  ],
  [
    'texts without marks',
    `x\n\nIn \`${P}\` replace sum with total`,
    `Line 3 looks like a replacement: write on one line “in \`${P}\` replace \`sum\` with \`total\`”.`,
  ],
  [
    'nothing marked at all',
    `Please change a - b to a + b in ${P}.`,
    `Line 1 looks like a replacement: write on one line “in \`${P}\` replace \`a - b\` with \`a + b\`”.`,
  ],
  [
    'no texts that could be meant',
    `Change the loop in ${P}, it is slow`,
    `Line 1 looks like a replacement: write on one line “in \`${P}\` replace \`OLD\` with \`NEW\`”.`,
  ],
  ['an arrow', `rename ${P} -> src/b.js`, `Line 1 looks like a rename: write “Rename \`${P}\` to \`src/b.js\`”.`],
  [
    'no file',
    'Replace `a` with `b`',
    'Line 1 looks like a replacement: write on one line “in `PATH` replace `a` with `b`”.',
  ],
  ['a diff without a fence', DIFF, 'Line 1 looks like a diff: put it between a line ```diff and a line ```.'],
  ['a diff as another language', fence('ts', DIFF), 'The block at line 1 looks like a diff: begin it with ```diff.'],
  [
    'a symbol to rename',
    'Rename `total` to `sum`',
    'Line 1 looks like a rename: write “Rename `OLD/PATH` to `NEW/PATH`” for a file, or “in `PATH` replace all `total` with `sum`” for a name in it.',
  ],
  [
    'a symbol to delete',
    `Remove \`helper\` from \`${P}\``,
    `Line 1 looks like a deletion: write “Delete \`${P}\`” for a file, or “in \`${P}\` replace \`helper\` with \`\`” for text in it.`,
  ],
  [
    'the texts in the other order',
    `In \`${P}\`, substitute \`sum\` for \`sum + 1\``,
    `Line 1 looks like a replacement: write on one line “in \`${P}\` replace \`sum + 1\` with \`sum\`”.`,
  ],
  [
    'several files',
    `In \`${P}\` and \`src/x.js\` replace \`a\` with \`b\``,
    `Line 1 looks like a replacement: write on one line for each file “in \`${P}\` replace \`a\` with \`b\`”.`,
  ],
  [
    'several files to delete',
    'Delete src/old.js and src/older.js',
    'Line 1 looks like several deletions: write a line “Delete `src/old.js`” for each file.',
  ],
  [
    'a folder as the new place',
    'Move `src/a.txt` to `docs/`',
    'Line 1 looks like a rename: write “Rename `src/a.txt` to `docs/a.txt`”.',
  ],
  [
    'an arrow between two texts',
    'Fix the typo `teh` -> `the` in README.md',
    'Line 1 looks like a replacement: write on one line “in `README.md` replace `teh` with `the`”.',
  ],
  [
    'the wrong text last',
    `Use \`median\` instead of \`mean\` in \`${P}\``,
    `Line 1 looks like a replacement: write on one line “in \`${P}\` replace \`mean\` with \`median\`”.`,
  ],
  [
    'lines to add',
    `Add to \`.gitignore\` these lines:\n${fence('', 'dist\n')}`,
    'The block at line 2 looks like lines to add to .gitignore: write a diff that adds them, and begin it with ```diff.',
  ],
  [
    'a patch of another kind',
    fence('', '*** Begin Patch\n*** Update File: a.js\n'),
    'The block at line 1 looks like a patch in another form: write a diff, and begin it with ```diff.',
  ],
  [
    'a block below a sentence about a file',
    `This is what \`${P}\` should be:\n${fence('js', CODE)}`,
    `The block at line 2 looks like the content of ${P}: begin it with \`\`\`file=${P} to write the whole file.`,
  ],
];

describe('the usual ways to spell out an edit', () => {
  it.each(replacements)('takes a replacement with %s', (_, text) => {
    expect(readSpelledForms(`Some words.\n\n${text}\n\nMore words.`)).toEqual({
      forms: [{ form: REPLACED, onlyNew: false }],
      misses: [],
    });
  });

  it.each(diffs)('takes a diff with %s', (_, text) => {
    expect(formsOf(text)).toMatchObject([{ kind: 'patch', action: 'change', path: P }]);
  });

  it.each(files)('takes the whole content with %s', (_, text) => {
    expect(formsOf(text)).toEqual([{ kind: 'write', path: P, content: CODE }]);
  });

  it.each([...newFiles, ['the path in a comment', fence('js', `// ${P}\n${CODE}`)]])(
    'takes a block as a new file, and never as one that exists, with %s',
    (_, text) => {
      const { forms, misses: missed } = readSpelledForms(text);
      expect(missed).toEqual([]);
      expect(forms).toMatchObject([{ form: { kind: 'patch', action: 'create', path: P }, onlyNew: true }]);
    },
  );

  it.each(refused)('refuses, with the reason, %s', (_, text, reason) => {
    expect(formsOf(text)).toEqual([
      { kind: 'refused', source: expect.any(String), reason: expect.stringMatching(reason) },
    ]);
  });

  it.each(misses)('says what to write where it finds %s', (_, text, sentence) => {
    expect(readSpelledForms(text)).toEqual({ forms: [], misses: [sentence] });
  });

  it.each([
    ['Steps to reproduce:', 'Delete `a.json`'],
    ['## How to reproduce', '1. Rename `a.txt` to `b.txt`\n2. Run `npm start`'],
    ['Please do NOT:', `- replace \`a\` with \`b\` in \`${P}\``],
    ['Never do this:', 'Delete `src/a.js`'],
    ['**What I tried**', `Replace \`a\` with \`b\` in \`${P}\`.`],
    ['The log says:', fence('', DIFF)],
    ['Run this script:', fence('sh title="repro.sh"', 'node .\n')],
    ['### Expected behaviour', 'Delete `a.json`'],
    ['**Error log:**', 'Delete `a.json`'],
  ])('carries nothing out below "%s", and says so', (leadIn, text) => {
    const { forms, misses: missed } = readSpelledForms(`It crashes.\n\n${leadIn}\n\n${text}`);
    expect(forms).toEqual([]);
    expect(missed).toEqual([expect.stringContaining(`looks like an edit, but stands below “${leadIn}”`)]);
    expect(isNearMiss(missed[0] ?? '')).toBe(true);
    expect(formsOf(`${leadIn}\n\n${text}\n\n## Change\n\nDelete \`src/b.js\``)).toHaveLength(1);
  });

  it.each(['## Error handling', '### Expected change', '## Fix the logs of the runner', '**Attempts to log in**'])(
    'carries out what stands below "%s"',
    (heading) => {
      expect(formsOf(`It crashes.\n\n${heading}\n\nDelete \`a.json\``)).toHaveLength(1);
    },
  );

  it('is silent about none of them', () => {
    const texts = [...replacements, ...diffs, ...files, ...newFiles, ...refused, ...misses].map(([, text]) => text);
    for (const text of texts) {
      const { forms, misses: missed } = readSpelledForms(text);
      expect(forms.length + missed.length, text).toBeGreaterThan(0);
    }
  });

  it('deletes and renames files', () => {
    expect(
      formsOf('Delete `src/old.js`.\n- [ ] Rename `a.txt` to `docs/b.txt`\nPlease remove the file Makefile'),
    ).toEqual([
      expect.objectContaining({ kind: 'patch', action: 'delete', path: 'src/old.js' }),
      expect.objectContaining({ kind: 'patch', action: 'rename', path: 'a.txt', newPath: 'docs/b.txt' }),
    ]);
  });

  it('takes several lines of a list or of a paragraph, each an edit of its own', () => {
    expect(formsOf('delete `a.js`\ndelete `b.js`\nrename `c.js` to `d.js`')).toHaveLength(3);
    expect(formsOf('Please:\n- delete `a.js`\n- delete `b.js`')).toHaveLength(2);
    expect(formsOf('To do:\ndelete `a.js`.\nThat is all.')).toHaveLength(1);
  });

  it('replaces text of several lines, everywhere if told', () => {
    const text = `Replace all in \`a.js\`:\n${fence('', 'one\n  two\n')}\nby\n${fence('', 'three\n')}`;
    expect(formsOf(text)).toEqual([{ kind: 'replace', path: 'a.js', from: 'one\n  two', to: 'three', all: true }]);
    expect(formsOf('replace every `a` with `b` in `c.js`')).toMatchObject([{ all: true }]);
    expect(formsOf('In `c.js` change `a` to `b` everywhere.')).toMatchObject([{ all: true }]);
  });

  it.each([
    'The function `a` should not replace `b` with `c` in `d.js` any more',
    'Do not delete `src/a.js`',
    'If `a.js` exists, delete `b.js`',
    "Don't rename `a.js` to `b.js`",
    'We could replace `a` with `b` in `c.js`',
    'replace `x` with `y` or `z` in `a.js`',
    'Delete `src/a.js` and `src/b.js`',
    'Delete `helper`',
    'Delete `src/a.js`\nonly if nothing imports it.',
    'You must never\ndelete `src/a.js`',
    'Replace `a` with `b` in `c.js`\n(but not in the loop)',
    '> Delete `src/a.js`',
    '<!-- Delete `src/a.js` -->',
  ])('carries out nothing of a sentence that could mean anything else: %s', (text) => {
    expect(formsOf(text)).toEqual([]);
  });

  it('puts every variation into a form that a plan holds and the coder reads back to the letter', () => {
    for (const [, text] of [...replacements, ...diffs, ...files, ...newFiles]) {
      const forms = formsOf(text);
      expect(forms.flatMap((form) => readEditForms(writeEditForm(form)))).toEqual(forms);
    }
  });

  it('keeps a refusal a refusal in the plan', () => {
    for (const [, text] of refused) {
      const again = formsOf(text).flatMap((form) => readEditForms(writeEditForm(form)));
      expect(again.map(({ kind }) => kind)).toEqual(['refused']);
    }
  });
});
