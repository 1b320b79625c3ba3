import { readFileSync } from 'node:fs';

const listed: readonly string[] = JSON.parse(
  readFileSync(new URL('../../../../packages/api/test/fuzz/fixtures/naughty-strings.json', import.meta.url), 'utf8'),
);

/** Texts that browsers, terminals and readers have stumbled over. */
export const hostileStrings: readonly string[] = [
  ...listed.filter((text) => text.trim() !== '' && text.isWellFormed() && !text.includes('\0')),
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '\u202egnp.exe\u2066',
  '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example/\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[1;1H',
  'x'.repeat(200),
  '\u{e0041}\u{e0042}tags',
  'Z\u0351\u036b\u0343\u036a\u0302A\u0314L\u034cG\u0303O\u0358'.repeat(12),
];

/** Markup that would be seen in the document if any part of a page took a text as HTML or as Markdown with HTML. */
const markup = [
  '<img src="https://evil.example/p.png" onerror="alert(1)" data-hostile>',
  '<script data-hostile>alert(2)</script>',
  '<svg onload="alert(3)" data-hostile></svg>',
  '<iframe src="javascript:alert(4)" data-hostile></iframe>',
  '<style data-hostile>*{display:none}</style>',
  '<a href="javascript:alert(5)" data-hostile>a</a>',
  '![p](https://evil.example/m.png) [j](javascript:alert(6)) [d](data:text/html,<script>alert(7)</script>)',
  '&lt;b data-hostile&gt; &amp; &notit; &NotEqualTilde;',
  '</textarea></pre></code>-->]]>{{7*7}}#{7*7}',
].join(' ');

/** A text of everything, with a name by which it is found on the page. */
export function hostileText(name: string): string {
  return `${name} ${markup} \u202e\u2066reversed ${hostileStrings.at(-4)} ${'W'.repeat(400)}`;
}

/** The same in one line that is short enough for a title or a name. */
export function hostileName(name: string): string {
  return `${name} <img src=x onerror=alert(1) data-hostile>\u202e${'W'.repeat(30)}`;
}

/** One line of a megabyte. */
export const megabyteLine = `${markup} ${'long '.repeat(200_000)}`;
