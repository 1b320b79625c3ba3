import { type CodeText, lexes, readCode } from './code-text.ts';
import { braceDepth, type FoundTest, MOST_TESTS, nestTests, SKIP_WITHIN } from './nest-tests.ts';
import type { TestCase } from './test-case.ts';

const FUNCTION = /^func[ \t]+(?:\([^)\n]*\)[ \t]*)?((?:Test|Fuzz|Example|Benchmark)\w*)[ \t]*\([^)\n]*\)[ \t]*\{/gm;
const SUBTEST = /\b\w+\.Run\(\s*(["`])/g;

/** The tests of `go test`. A build constraint is a group named `(the file)`. */
export function goTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.go);
  const functions = Array.from(text.bare.matchAll(FUNCTION).take(MOST_TESTS)).flatMap(
    ({ index, 0: header, 1: title = '' }) => inBrackets(text, { title, from: index, open: index + header.length - 1 }),
  );
  const subtests = Array.from(text.bare.matchAll(SUBTEST).take(MOST_TESTS)).flatMap(
    ({ index, 0: head, 1: quote = '' }) => {
      const at = index + head.length;
      const title = text.source.slice(at, text.bare.indexOf(quote, at));
      return inBrackets(text, { title, from: index, open: text.bare.indexOf('(', index) });
    },
  );
  const constraint = /^\/\/(?:go:build|[ \t]*\+build)[ \t]+(.*)$/m.exec(source);
  const whole: FoundTest[] =
    constraint === null
      ? []
      : [
          {
            title: '(the file)',
            from: 0,
            to: 0,
            isGroup: true,
            isFocused: false,
            skip: constraintSkip(constraint[1] ?? ''),
          },
        ];
  return nestTests([...whole, ...functions, ...subtests], { path, text, language: 'go' });
}

/** A file for some systems is an author's daily business; any other tag leaves its tests out of the default run. */
function constraintSkip(constraint: string): FoundTest['skip'] {
  return /^[!\s()&|]*(?:linux|darwin|windows|unix|\w*bsd|js|wasm|amd64|arm64|cgo|go1\.\d+|race|[!\s()&|])+$/.test(
    constraint,
  )
    ? 'conditional'
    : 'always';
}

function inBrackets({ bare, partner }: CodeText, at: { title: string; from: number; open: number }): FoundTest[] {
  const close = partner.get(at.open);
  if (close === undefined) return [];
  const body = bare.slice(at.open, Math.min(close, at.open + SKIP_WITHIN));
  const call = /\b\w+\.Skip(?:f|Now)?\(/.exec(body);
  const skip = call === null ? null : braceDepth(body, 0, call.index) <= 1 ? 'always' : 'conditional';
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
