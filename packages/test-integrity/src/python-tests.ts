import { type CodeText, lexes, readCode } from './code-text.ts';
import { type FoundTest, MAX_TESTS, nestTests, WHOLE } from './nest-tests.ts';
import { SKIP_WITHIN, skipAt, skipIf, skipUnless } from './skip-condition.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

const HEADER = /^([ \t]*)(?:(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(|class[ \t]+(\w+))/gm;

/** The tests of pytest and unittest. A mark of the whole module is a group named `(the file)`. */
export function pythonTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.python);
  const lines = linesOf(text.bare);
  const bases = basesIn(text.bare);
  const loaded = loadedBy(text.bare);
  const found = Array.from(text.bare.matchAll(HEADER).take(MAX_TESTS)).flatMap(
    ({ index, 1: indent = '', 2: name, 3: group }): FoundTest[] => {
      const at = text.lineAt(index) - 1;
      const first = decoratorStart(lines, at, indent.length);
      const bodyAt = headerEnd(text, lines, index);
      const end = blockEnd(lines, bodyAt, indent.length);
      const from = lines[first]?.from ?? index;
      const marks = text.code.slice(from, index);
      const bodyFrom = lines[bodyAt]?.from ?? index;
      const bodyTo = Math.min(end, bodyFrom + SKIP_WITHIN);
      const [body, code] = [text.bare.slice(bodyFrom, bodyTo), text.code.slice(bodyFrom, bodyTo)];
      return [
        {
          title: name ?? group ?? '',
          from,
          to: end,
          isGroup: name === undefined,
          isFocused: false,
          isHidden:
            (group !== undefined && isHiddenClass(group, body, bases)) ||
            (indent === '' && loaded !== null && !loaded.has(name ?? group ?? '')),
          skip: markOf(marks) ?? (name === undefined ? classSkip(body) : bodySkip(body, code)),
        },
      ];
    },
  );
  const module = moduleSkip(text);
  const tests = withoutInner(found);
  return nestTests(module === null ? tests : [...tests, module], { path, text, language: 'python' });
}

/**
 * Whether pytest skips a class. It takes one without a base by its name, and none with a constructor. A class with a
 * base may be a `TestCase`, and one that is a base itself passes its tests on.
 */
function isHiddenClass(name: string, body: string, bases: Bases): boolean {
  if (/\w/.test(bases.of.get(name)?.replace(/^object$/, '') ?? '')) return false;
  const indent = /^[ \t]+(?=\S)/m.exec(body)?.[0] ?? '';
  if (body.split('\n').some((line) => line.startsWith(`${indent}def __init__(`))) return true;
  return !name.startsWith('Test') && !bases.isBase.has(name);
}

/** The names that unittest's `load_tests` speaks of, where it does not take all tests that it is given; null where it does. */
function loadedBy(bare: string): ReadonlySet<string> | null {
  const [, all, body = ''] = LOAD_TESTS.exec(bare) ?? [];
  const names = new Set(body.match(/\w+/g));
  return all === undefined || names.has(all) ? null : names;
}

const LOAD_TESTS =
  /^def[ \t]+load_tests[ \t]*\(\s*\w+[^,()]*,\s*(\w+)[^()]*\)[^:\n]*:((?:[^\n]*\n(?![^\s#)]))*[^\n]*)/m;

interface Bases {
  readonly of: ReadonlyMap<string, string>;
  readonly isBase: ReadonlySet<string>;
}

function basesIn(bare: string): Bases {
  const classes = Array.from(bare.matchAll(CLASS), ([, name = '', base = '']) => [name, base.trim()] as const);
  return { of: new Map(classes), isBase: new Set(classes.flatMap(([, base]) => base.match(/\w+/g) ?? [])) };
}

const CLASS = /^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)\n]*)/gm;

/** A function inside a test is part of it, whatever its name. */
function withoutInner(found: readonly FoundTest[]): FoundTest[] {
  let end = 0;
  return found.filter(({ from, to, isGroup }) => {
    if (from < end) return false;
    if (!isGroup) end = to;
    return true;
  });
}

interface Line {
  readonly from: number;
  readonly text: string;
}

function linesOf(bare: string): Line[] {
  let from = 0;
  return bare.split('\n').map((text) => {
    const line = { from, text };
    from += text.length + 1;
    return line;
  });
}

const indentOf = (text: string) => text.length - text.trimStart().length;

function decoratorStart(lines: readonly Line[], header: number, indent: number): number {
  let first = header;
  let isInside = false;
  for (let at = header - 1; at >= 0 && header - at < MAX_DECORATOR_LINES; at -= 1) {
    const text = lines[at]?.text ?? '';
    const depth = indentOf(text);
    if (text.trim() === '') {
      if (isInside) continue;
      break;
    }
    if (depth === indent && text[depth] === '@') first = at;
    else if (depth < indent || (depth === indent && !/^[)\]}"']/.test(text.trimStart()))) break;
    isInside = first !== at;
  }
  return first;
}

const MAX_DECORATOR_LINES = 500; // of the decorators of one test

/** The line after the header, whose arguments may take several lines. */
function headerEnd({ bare, partner, lineAt }: CodeText, lines: readonly Line[], index: number): number {
  const open = bare.indexOf('(', index);
  const lineEnd = bare.indexOf('\n', index);
  const close = open !== -1 && (open < lineEnd || lineEnd === -1) ? (partner.get(open) ?? index) : index;
  return Math.min(lineAt(close), lines.length);
}

function blockEnd(lines: readonly Line[], bodyAt: number, indent: number): number {
  for (let at = bodyAt; at < lines.length; at += 1) {
    const { from, text } = lines[at] ?? { from: 0, text: '' };
    if (text.trim() === '' || indentOf(text) > indent || /^[)\]}"']/.test(text.trimStart())) continue;
    return from;
  }
  const last = lines.at(-1);
  return (last?.from ?? 0) + (last?.text.length ?? 0);
}

function markOf(marks: string): FoundTest['skip'] {
  if (
    /@[\w.]*(?:skip|expectedFailure)\b|@[\w.]*\bparametrize\([^[\]()]*(?:\[[^[\]]*\][^[\]()]*|\([^()]*\)[^[\]()]*)?,\s*\[\s*\]\s*[,)]|@[\w.]*\.xfail\s*(?:$|\n|\((?![^)]*\bcondition\b)\s*(?:\)|reason|strict|raises|run|["']))/i.test(
      marks,
    )
  )
    return 'always';
  const conditions = Array.from(marks.matchAll(CONDITIONAL), ({ index, 0: head, 1: mark = '' }) => {
    const condition = firstArgument(marks.slice(index + head.length, index + head.length + MAX_CONDITION_LENGTH));
    if (/^(?:True|False|1|0)$/.test(condition)) return 'always';
    return /unless/i.test(mark) ? skipUnless(condition) : skipIf(condition);
  });
  if (conditions.length > 0) return SKIPS.find((skip) => conditions.includes(skip)) ?? null;
  return /marks\s*=\s*\[?\s*pytest\.mark\.(?:skip|xfail)/.test(marks) ? 'conditional' : null;
}

const firstArgument = (args: string) =>
  splitArguments(args)[0]
    ?.replace(/^\s*condition\s*=/, '')
    .trim() ?? '';

const MAX_CONDITION_LENGTH = 500; // characters
const CONDITIONAL = /@[\w.]*(skipif|skipUnless|skip_unless|skip_if|xfail)\s*\(/gi;
const SKIPS = ['always', 'conditional', 'elsewhere'] as const;

const SKIP_CALL =
  /^([ \t]*)(if\b[^\n]*:[ \t]*)?(?:return[ \t]+)?(?:pytest\.(?:skip|xfail)|self\.skipTest|raise[ \t]+(?:unittest\.)?SkipTest)\b/gm;

function bodySkip(bare: string, code: string): FoundTest['skip'] {
  const test = { bare, code, language: 'python' } as const;
  const first = /^[ \t]+(?=\S)/m.exec(bare)?.[0].length ?? 0;
  const calls = Array.from(bare.matchAll(SKIP_CALL), ({ index, 1: indent = '', 2: condition = '' }) =>
    condition === '' && indent.length <= first ? 'always' : skipAt(test, index + indent.length + condition.length),
  );
  return SKIPS.find((skip) => calls.includes(skip)) ?? null;
}

function classSkip(body: string): FoundTest['skip'] {
  return /^[ \t]*(?:__test__[ \t]*=[ \t]*False|pytestmark[ \t]*=.*\bmark\.(?:skip|xfail)\b(?!if))/m.test(body)
    ? 'always'
    : null;
}

const MODULE_SKIP =
  /^(?:pytestmark[ \t]*=[^\n]*\bmark\.(?:skip|xfail)(if\()?|__test__[ \t]*=[ \t]*False|(?:\w+[ \t]*=[ \t]*)?pytest\.(importorskip)\(|([ \t]*)(?:pytest\.skip\([^\n]*allow_module_level|raise[ \t]+(?:unittest\.)?SkipTest))/m;

function moduleSkip({ bare, code }: CodeText): FoundTest | null {
  const found = MODULE_SKIP.exec(bare);
  if (found === null) return null;
  const { index, 0: mark, 1: condition, 2: imported, 3: indent = '' } = found;
  const to = index + mark.length;
  const skip =
    condition !== undefined
      ? skipIf(firstArgument(code.slice(to, to + MAX_CONDITION_LENGTH)))
      : imported !== undefined
        ? 'conditional'
        : indent === ''
          ? 'always'
          : skipAt({ bare, code, language: 'python' }, index + indent.length);
  return { title: WHOLE, from: index, to, isGroup: true, isFocused: false, skip };
}
