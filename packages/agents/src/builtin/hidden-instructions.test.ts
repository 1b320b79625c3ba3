import { hiddenTextWarnings } from '@sluice/core/text';
import { describe, expect, it } from 'vitest';
import { readSpelledForms } from './spelled-forms.ts';

const EDIT = 'in `a.txt` replace `one` with `two`';
const OTHERS = ['Please replace `one` by `two` in `a.txt`', 'Delete `a.txt`', 'Rename `a.txt` to `b.txt`'];
const between = (start: string, end: string) => `x\n\n${start}\n${EDIT}\n${end}\n`;
const read = (body: string) => readSpelledForms(body).forms;
const warnings = (body: string) => hiddenTextWarnings({ title: 'A title', body, labels: [] });

describe('an instruction that a page does not show', () => {
  it.each([
    ['a comment', between('<!--', '-->')],
    ['a comment without an end', `x\n<!--\n${EDIT}`],
    ['a comment that HTML ends early', between('<!-->', '-->')],
    ['a comment with an exclamation mark', between('<!-- x --!>', '-->')],
    ['a conditional comment', between('<!--[if x]>-->', '<!--<![endif]-->')],
    ['a processing instruction', between('<?', '?>')],
    ['CDATA', between('<![CDATA[', ']]>')],
    ['a declaration', between('<!A', '>')],
    ['the title of a link definition', between("[foo]: /url '", "'\n\nbye")],
    ['a footnote without a reference', `x\n\n[^1]: a\n${EDIT}\n`],
    ['an attribute of a link', between('x <a title="', '">y</a>')],
    ['an attribute of a picture', between('<img alt="', '" src=x>')],
    ['the title of a link', between('[](x "', '")')],
    ['an alternative text', between('![', '](x.png)')],
    ['a hidden paragraph', between('<p hidden>', '</p>')],
    ['a fold', between('<details>\n<summary>log</summary>\n', '\n</details>')],
    ['tiny letters', between('<sub><sup><sub><sup>', '</sup></sub></sup></sub>')],
    ...['style', 'template', 'title', 'script', 'noscript', 'select', 'object'].map((name) => [
      `an element \`${name}\``,
      between(`<${name}>`, `</${name}>`),
    ]),
    ['a path far behind the language of a block', `\`\`\`js a b ${' '.repeat(200)}file=b.txt\nboo\n\`\`\``],
    ['characters without width', `i\u200b${EDIT.slice(1)}`],
  ])('is warned about, or not carried out: %s', (_, body) => {
    for (const text of [body, ...OTHERS.map((other) => body.replace(EDIT, other))]) {
      if (warnings(text).length === 0) expect(read(text)).toEqual([]);
    }
  });

  it.each([
    ['plain text', `x\n\n${EDIT}`],
    ['a list', `- a\n  - b\n    ${EDIT}`],
    ['an indented line', `   ${EDIT}`],
    ['a line far below', `x${'\n'.repeat(3_000)}${EDIT}`],
    ['a row of a table', `|a|\n|-|\n|b|\n${EDIT}`],
    ['between code with the marks of a comment', `\`a <!-- b\`\n${EDIT}\n\`-->\``],
  ])('is carried out without a warning where a page shows it: %s', (_, body) => {
    expect(read(body)).toHaveLength(1);
    expect(warnings(body)).toEqual([]);
  });
});
