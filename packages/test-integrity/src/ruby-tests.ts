import { lexes, readCode } from './code-text.ts';
import { type FoundTest, MAX_TESTS, nestTests } from './nest-tests.ts';
import { SKIP_WITHIN, skipAt, skipIf, skipUnless } from './skip-condition.ts';
import type { TestCase } from './test-case.ts';

const HEADER =
  /^([ \t]*)(?:(?:RSpec\.)?([fx]?)(describe|context|feature|shared_examples(?:_for)?|shared_context|it|specify|example|scenario|test|its)\b[ \t(]*([^\n]*)|def[ \t]+(test_\w+))/gm;

/** The tests of RSpec, Minitest and test-unit. A block ends at the `end` that is indented as its beginning. */
export function rubyTests(path: string, source: string): TestCase[] {
  const text = readCode(source, lexes.ruby);
  const found = Array.from(text.bare.matchAll(HEADER).take(MAX_TESTS)).flatMap(
    ({ index, 0: head, 1: indent = '', 2: mark = '', 3: word = '', 4: rest = '', 5: method }): FoundTest[] => {
      const line = text.code.slice(index, index + head.length);
      const isBlock = method !== undefined || /\bdo\b[ \t]*(?:\|[^|\n]*\|)?[ \t]*$/.test(head);
      if (!isBlock && !/[{"']/.test(rest)) return [];
      const lineEnd = index + head.length;
      const end = isBlock ? blockEnd(text.bare, lineEnd, indent) : lineEnd;
      const isGroup = /^(?:describe|context|feature|shared_\w+)$/.test(word);
      const quoted = /["']([^"'\n]*)["']/.exec(line)?.[1];
      const title = method ?? quoted ?? line.trim();
      const bodyEnd = Math.min(end, lineEnd + SKIP_WITHIN);
      const [body, code] = [text.bare.slice(lineEnd, bodyEnd), text.code.slice(lineEnd, bodyEnd)];
      const isPending = !isBlock && !/[{]/.test(rest) && !isGroup;
      return [
        {
          title,
          from: index,
          to: end,
          isGroup,
          isFocused: mark === 'f' || /(?:\bfocus:[ \t]*true|:focus\b)/.test(line),
          skip:
            mark === 'x' || isPending || /\b(?:skip|pending):[ \t]*(?:true|["'])|:(?:skip|pending)\b/.test(line)
              ? 'always'
              : isGroup
                ? null
                : bodySkip(body, code, indent),
        },
      ];
    },
  );
  return nestTests(found, { path, text, language: 'ruby' });
}

function blockEnd(bare: string, from: number, indent: string): number {
  const end = bare.indexOf(`\n${indent}end`, from);
  return end === -1 ? from : end + indent.length + 4;
}

function bodySkip(bare: string, code: string, indent: string): FoundTest['skip'] {
  const call = /^([ \t]*)(?:skip|pending)\b(?![ \t]*=)[^\n]*$/m.exec(bare);
  if (call === null) return null;
  const line = code.slice(call.index, call.index + call[0].length);
  const [, word, condition = ''] = /\s(if|unless)\b(.*)$/.exec(line) ?? [];
  if (word !== undefined) return word === 'if' ? skipIf(condition) : skipUnless(condition);
  const depth = call[1]?.length ?? 0;
  return depth > indent.length + 2 ? skipAt({ bare, code, language: 'ruby' }, call.index + depth) : 'always';
}
