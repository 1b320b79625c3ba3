import { type SampleSource, sampleSources } from './sample-sources.ts';

/** An edit of a source that parses. */
export interface SampleEdit {
  readonly what: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [what: string, after: string | null];

/** Edits after which a source no longer parses: slips that models make. */
export function brokenEdits(): SampleEdit[] {
  return sampleSources.flatMap((source) => editsOf(source, [...bracketSlips(source), ...textSlips(source)]));
}

/** Edits after which a source parses as well as before. */
export function goodEdits(): SampleEdit[] {
  return sampleSources.flatMap((source) => {
    const { text, modern, path } = source;
    const isJson = path.endsWith('.json');
    return editsOf(source, [
      ['carriage returns', text.replaceAll('\n', '\r\n')],
      ['no line break at the end', text.trimEnd()],
      ['a blank line', text.replace('\n', '\n\n')],
      ['a number', isJson ? null : changed(text, /\b\d+\b/, '42')],
      ['a word in a string', changed(text, /(["'])([a-z]+)/, '$1other')],
      ['a name everywhere', isJson ? null : renamedWord(text)],
      ['blank lines at the end', `${text}\n\n`],
      ...modern.flatMap((piece): Change[] => [
        [`modern: ${piece.slice(0, 20)}`, `${text}\n${piece}`],
        [`modern, twice as many lines: ${piece.slice(0, 20)}`, `${text}\n\n${piece}\n`],
        [`modern, without a line break: ${piece.slice(0, 20)}`, `${text}\n${piece.trimEnd()}`],
      ]),
    ]);
  });
}

function editsOf({ path, text }: SampleSource, changes: readonly Change[]): SampleEdit[] {
  return changes.flatMap(([what, after]) =>
    after === null || after === text ? [] : [{ what, path, before: text, after }],
  );
}

function bracketSlips({ text }: SampleSource): Change[] {
  const places = [...text.matchAll(/[()[\]{}]/g)].filter(({ index }) => !isInString(text, index));
  // Every third place: enough of each kind, from all parts of the file.
  return places
    .filter((_, number) => number % 3 === 0)
    .map(({ 0: bracket, index }) => [
      `without ${bracket} at ${index}`,
      `${text.slice(0, index)}${text.slice(index + 1)}`,
    ]);
}

function textSlips({ path, text }: SampleSource): Change[] {
  const middle = text.indexOf('\n', text.length * 0.6);
  const lines = text.split('\n');
  const at = lines.findIndex((line, index) => index > 4 && /^\s+\w/.test(line));
  const isPython = path.endsWith('.py');
  const withLines = (...replacing: string[]) =>
    [...lines.slice(0, at), ...replacing, ...lines.slice(at + 1)].join('\n');
  const line = lines[at] ?? '';
  return [
    ['broken off', text.slice(0, middle)],
    ['broken off in a line', text.slice(0, text.lastIndexOf('(') + 1 || middle)],
    ['a conflict', withLines('<<<<<<< HEAD', line, '=======', line, '>>>>>>> branch')],
    ['a closing bracket too many', `${text}}\n`],
    ['another one', `${text})\n`],
    ['a fence in front', `\`\`\`js\n${text}`],
    ['a fence around it', `\`\`\`\n${text}\`\`\`\n`],
    ['a quote too few', /\.(?:css|cpp)$/.test(path) ? null : changed(text, /"([^"\n]*)"(?!")/, '"$1')],
    ['a keyword twice', changed(text, KEYWORD, '$1 $1')],
    ['an end too many', /\.(?:sh|rb)$/.test(path) ? changed(text, /^\s*(?:end|fi|done)\n/m, '$&$&') : null],
    ['an end too few', changed(text, /^\s*(?:end|fi|done)$/m, '')],
    ['no colon', isPython ? changed(text, /\):$/m, ')') : null],
    ['a line out of its block', isPython ? text.replace('    def load', ' def load') : null],
    ['a line too far in', isPython ? text.replace('        self.path', '            self.path') : null],
    ['a block too few', isPython ? text.replace('                    continue\n', '') : null],
    ['a body beside its head', isPython ? text.replace('    return sum', 'return sum') : null],
    ['a try without a handler', isPython ? `${text}\n\ntry:\n    total({})\nprint()\n` : null],
    ['another closing tag', changed(text, /<\/(?:ul|p)>/, '</ol>')],
    ...(/\.[mc]?js$/.test(path) ? typesOf(text) : []),
    ['line numbers', path.endsWith('.json') || /\.(?:sh|css|cpp)$/.test(path) ? null : numbered(text)],
  ];
}

/** Types, which models write into JavaScript out of habit. */
function typesOf(text: string): Change[] {
  return [
    ['a parameter with its type', changed(text, /(function \w+\(\w+)/, '$1: string')],
    ['a result with its type', changed(text, /(function \w+\([^)]*\))/, '$1: number')],
    ['an interface', `interface A {\n  b: string;\n}\n\n${text}`],
    ['a type', `${text}\ntype A = string | null;\n`],
    ['an enum', `${text}\nenum A { B, C }\n`],
    ['an import of a type', `import type { A } from './a.js';\n${text}`],
    ['as', changed(text, /= (\d+);/, '= $1 as number;')],
    ['satisfies', changed(text, /= (\d+);/, '= $1 satisfies number;')],
    ['a value that is not null', changed(text, /(\w+)(\.\w+)/, '$1!$2')],
    ['a private field', `${text}\nclass A { private b = 1; }\n`],
  ];
}

const KEYWORD = /(?<=^\s*)(class|def|func|function|fn|return|impl|namespace|for|package)\b(?! \1)/m;

function numbered(text: string): string {
  const numberedLine = (line: string, index: number) => `${index + 1}\t${line}`;
  return text.split('\n').map(numberedLine).join('\n');
}

function changed(text: string, from: RegExp, to: string): string | null {
  const after = text.replace(from, to);
  return after === text ? null : after;
}

function renamedWord(text: string): string {
  const word = /\b(?:items|queue|store|free|word|names|rows|sent|now|file|card|data_)\b/.exec(text)?.[0] ?? 'x';
  return text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), 'renamed');
}

/** Whether a place is in a string of one line, or in a comment. */
function isInString(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  if (/\/\*|\/\/|^\s*\*|'use|[^$]#(?![{[\w-])/.test(line)) return true;
  return ['"', "'", '`', '/['].some((quote) => line.split(quote).length % 2 === 0);
}
