import type { CodeText } from './code-text.ts';
import { ifAround } from './condition-around.ts';
import { SKIP_WITHIN, skipAt } from './skip-condition.ts';
import type { Language, Skip } from './test-case.ts';

/** A preparation that skips all tests of its group, or of its file. */
export interface SetupSkip {
  readonly at: number;
  readonly skip: Skip;
}

interface Preparation {
  /** Up to the name or the bracket behind which the body begins. */
  readonly head: RegExp;
  readonly skips: RegExp;
}

const preparations: Readonly<Partial<Record<Language, Preparation>>> = {
  javascript: {
    head: /(?<![\w$.])(?:before|beforeAll|beforeEach|setup|suiteSetup)\s*(?=\()/g,
    skips: /\b(?:this|t|ctx|context|test)\.skip\s*\(/,
  },
  python: {
    head: /^[ \t]*@[\w.]*\bfixture\([^()\n]*\bautouse[ \t]*=[ \t]*True[^()\n]*\)[ \t]*\n[ \t]*(?:async[ \t]+)?def\b|^[ \t]*def[ \t]+(?:setUp\w*|setup(?:_\w+)?)\b/gm,
    skips: /\bpytest\.skip\(|\bself\.skipTest\(|\braise[ \t]+(?:unittest\.)?SkipTest\b/,
  },
  ruby: {
    head: /^[ \t]*(?:before\b[^\n]*|setup[ \t]+do\b|def[ \t]+setup\b)/gm,
    skips: /(?:^|[{;\n])[ \t]*(?:skip|pending)\b(?![ \t]*=)/,
  },
  jvm: {
    head: /@Before(?:Each|All|Class|Method|Test)?\b/g,
    skips: /\bassume(?:True|False|That)\(|\bAssumptions\.abort\(|\bnew SkipException\(/,
  },
  outlined: {
    head: /\bfunction setUp(?:BeforeClass)?\b|\[(?:OneTime)?SetUp\]/g,
    skips: /\bmarkTest(?:Skipped|Incomplete)\(|\bAssert\.(?:Ignore|Inconclusive)\(/,
  },
};

const MAX_PREPARATIONS = 20; // of one file

export function setupSkips(text: CodeText, language: Language): SetupSkip[] {
  const known = preparations[language];
  if (known === undefined) return [];
  return Array.from(text.bare.matchAll(known.head).take(MAX_PREPARATIONS)).flatMap(({ index, 0: head }) => {
    const from = index + head.length;
    const to = bodyEnd(text, { index, from, language });
    const body = { bare: text.bare.slice(index, to), code: text.code.slice(index, to), language };
    const found = known.skips.exec(body.bare);
    if (found === null) return [];
    const at = found.index + found[0].length - found[0].trimStart().length;
    return [{ at: index, skip: ifAround(body, at) === null ? 'always' : skipAt(body, at) }];
  });
}

/** The end of a preparation's body: by its brackets, or by its indentation. */
function bodyEnd(
  { bare, partner }: CodeText,
  { index, from, language }: { readonly index: number; readonly from: number; readonly language: Language },
): number {
  const furthest = Math.min(bare.length, from + SKIP_WITHIN);
  if (language !== 'python' && language !== 'ruby') {
    const open = bare.slice(from, furthest).search(language === 'javascript' ? /\(/ : /\{/);
    return Math.min(partner.get(from + open) ?? furthest, furthest);
  }
  const lines = bare.slice(index, furthest).split('\n');
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0].length ?? 0;
  const isSame = (line: string) => line.trim() !== '' && line.length - line.trimStart().length <= indent;
  const first = lines.findIndex((line) => /\b(?:def|before|setup)\b/.test(line));
  const end = lines.findIndex((line, at) => at > first && isSame(line));
  return end === -1 ? furthest : index + lines.slice(0, end).join('\n').length;
}
