import { type CodeText, lexes, readCode } from './code-text.ts';
import { braceDepth, type FoundTest, MAX_TESTS, nestTests, WHOLE } from './nest-tests.ts';
import { SKIP_WITHIN, skipAt, skipUnless } from './skip-condition.ts';
import type { TestCase } from './test-case.ts';

const FUNCTION = /^func[ \t]+(?:\([^)\n]*\)[ \t]*)?((?:Test|Fuzz|Example|Benchmark)\w*)[ \t]*\([^)\n]*\)[ \t]*\{/gm;
const SUBTEST = /\b\w+\.Run\(\s*(["`])/g;

/** The tests of `go test`. A build constraint is a group named `(the file)`. */
export function goTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.go);
  const functions = Array.from(text.bare.matchAll(FUNCTION).take(MAX_TESTS)).flatMap(
    ({ index, 0: header, 1: title = '' }) => inBrackets(text, { title, from: index, open: index + header.length - 1 }),
  );
  const subtests = Array.from(text.bare.matchAll(SUBTEST).take(MAX_TESTS)).flatMap(
    ({ index, 0: head, 1: quote = '' }) => {
      const at = index + head.length;
      const title = text.source.slice(at, text.bare.indexOf(quote, at));
      return inBrackets(text, { title, from: index, open: text.bare.indexOf('(', index) });
    },
  );
  const constraints = constraintsOf(path, source);
  const whole = { title: WHOLE, from: 0, to: 0, isGroup: true, isFocused: false };
  const file = constraints === '' ? [] : [{ ...whole, skip: constraintSkip(constraints) }];
  return nestTests([...file, ...functions, ...subtests], { path, text, language: 'go' });
}

const SYSTEMS = 'linux|darwin|windows|\\w*bsd|js|wasip1|android|ios|solaris|illumos|plan9|aix|dragonfly';
const SYSTEM_FILE = new RegExp(`_(${SYSTEMS})(?:_[a-z0-9]+)?_test\\.go$`);
const BUILD = /^\/\/(?:go:build[ \t]+(.*)|[ \t]*\+build[ \t]+(.*))$/m;

/** The build constraint of a file, by its first lines and its name; empty without one. */
function constraintsOf(path: string, source: string): string {
  const { 1: line, 2: oldLine } = BUILD.exec(source) ?? [];
  // In the old form a space is an `or`, and a comma an `and`.
  const constraint = line ?? oldLine?.trim().replaceAll(/\s+/g, ' || ').replaceAll(',', ' && ');
  return [constraint, SYSTEM_FILE.exec(path)?.[1]].flatMap((one) => (one === undefined ? [] : `(${one})`)).join(' && ');
}

/** A tag that is no system's leaves the tests out of the default run. */
function constraintSkip(constraint: string): FoundTest['skip'] {
  return KNOWN.test(constraint) ? skipUnless(constraint) : 'always';
}

const KNOWN = new RegExp(`^(?:${SYSTEMS}|unix|wasm|amd64|arm64|cgo|go1\\.\\d+|race|[!\\s()&|])+$`);

function inBrackets({ bare, code, partner }: CodeText, at: { title: string; from: number; open: number }): FoundTest[] {
  const close = partner.get(at.open);
  if (close === undefined) return [];
  const to = Math.min(close, at.open + SKIP_WITHIN);
  const body = { bare: bare.slice(at.open, to), code: code.slice(at.open, to), language: 'go' } as const;
  const call = /\b\w+\.Skip(?:f|Now)?\(/.exec(body.bare);
  const skip = call === null ? null : braceDepth(body.bare, 0, call.index) <= 1 ? 'always' : skipAt(body, call.index);
  return [
    {
      title: at.title,
      from: at.from,
      to: close + 1,
      isGroup: false,
      isFocused: false,
      isHidden: /^(?:Test|Fuzz|Example|Benchmark)[a-z]/.test(at.title),
      skip,
    },
  ];
}
