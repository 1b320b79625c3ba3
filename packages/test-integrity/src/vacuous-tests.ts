import type { Finding } from '@sluice/core/change';
import { assertionsOf } from './assertions.ts';
import type { ComparedTests } from './compared-tests.ts';
import { isExit } from './early-exits.ts';
import type { TestCase } from './test-case.ts';
import { plainCode } from './tokens.ts';

/** Tests, new or changed, that cannot fail: without a check, with constant ones only, or left at once. */
export function vacuousTests({ kept, added }: ComparedTests): Finding[] {
  const changed = kept.filter(
    ({ before, after }) => plainCode(before.code) !== plainCode(after.code) && emptiness(before) === null,
  );
  return [...added, ...changed.map(({ after }) => after)].flatMap((test): Finding[] => {
    const why = emptiness(test);
    return why === null
      ? []
      : [{ kind: 'test_vacuous', path: test.path, line: test.line, detail: `The test "${test.name}" ${why}.` }];
  });
}

const OUTPUT = /\b(?:console\.\w+|e?print(?:ln!?|f|!)?|dbg!|t\.Logf?|fmt\.Print\w*|puts|pass)(?![\w!])[^\n;]*/g;

function emptiness(test: TestCase): string | null {
  if (
    test.language === 'outlined' ||
    test.isGroup ||
    test.hasInner ||
    test.skip === 'always' ||
    /^(?:Benchmark|Example|Fuzz)/.test(test.name)
  )
    return null;
  const body = bodyOf(test);
  if (body === null) return null;
  const statements = body.replaceAll(OUTPUT, '').replaceAll(/[\s;{}()]|\bpass\b|\bend\b/g, '');
  if (statements === '') return 'has no code';
  if (/^\s*return\b\s*(?:;|\n|$|undefined|null|nil|None|true)/.test(body)) return 'returns before it checks anything';
  const assertions = assertionsOf(test);
  if (assertions.length > 0 && assertions.every(({ condition }) => isExit(condition)))
    return 'returns before it checks anything';
  if (assertions.length > 0)
    return assertions.every(({ isConstant }) => isConstant)
      ? `checks nothing of the program: \`${assertions[0]?.text}\``
      : null;
  return mayCheckElsewhere(test, body) ? null : 'has no assertion';
}

/** The code between the braces, or below the header. Null where there is none to be seen. */
function bodyOf({ bare, language }: TestCase): string | null {
  switch (language) {
    case 'javascript': {
      const at = /=>\s*\{|\bfunction\b[^{]*\{/.exec(bare);
      if (at !== null) return bare.slice(at.index + at[0].length, bare.lastIndexOf('}'));
      const arrow = bare.indexOf('=>');
      return arrow === -1 ? null : bare.slice(arrow + 2, bare.lastIndexOf(')'));
    }
    case 'python': {
      const header = /\bdef[\s\S]*?\)[^:\n]*:[ \t]*/.exec(bare);
      return header === null
        ? null
        : bare.slice(header.index + header[0].length).replace(/^\s*(?:"""\s*"""|"\s*"|'\s*')\s*/, '');
    }
    case 'ruby':
      return /\n([\s\S]*)\bend\b\s*$/.exec(bare)?.[1] ?? null;
    default: {
      const open = bare.indexOf('{', /\b(?:fn|func|void|fun)\b/.exec(bare)?.index ?? 0);
      return open === -1 ? null : bare.slice(open + 1, bare.lastIndexOf('}'));
    }
  }
}

/**
 * Whether a test may check without an assertion: "nothing breaks" is a check if the test is for that, and a function of
 * the project may do the checking.
 */
function mayCheckElsewhere(test: TestCase, whole: string): boolean {
  const { name, language, code } = test;
  const [bare, body] = [test.bare.replaceAll(OUTPUT, ''), whole.replaceAll(OUTPUT, '')];
  if (
    /throw|crash|panic|smoke|compil|error|fail|work|without|does.?n.?t|doesnt|no_?op|hang|leak|import|type|render|valid|accept|allow|support|handle(?:s|d)?\b/i.test(
      name,
    )
  )
    return true;
  switch (language) {
    case 'javascript':
      // A value that is returned, a callback, a context that checks, a snapshot: only plain calls are left.
      return /\b(?:done|t|assert|page|cy|request|ctx|context|task)\b|\bawait\b|\breturn\b|=>\s*[^{\s]|\.(?:expect|should|run|test)\b|\bsatisfies\b|\brun\w*\(|\btest\w*\(/.test(
        /=>|\bfunction\b/.exec(bare) === null ? bare : bare.slice(Math.max(0, bare.search(/=>|\bfunction\b/) - 40)),
      );
    case 'python':
      return /\bself\.(?!assert)\w+\(|\bawait\b|\bwith\b|\b(?:run|do|_)\w*\(|\bbenchmark\(/.test(body);
    case 'go':
      return /[(,]\s*(?:t|tt|tb|b|f|s\.T\(\))\s*[,)]|\bsuite\.|\.Run\(/.test(body) || /\bFuzz/.test(code);
    case 'rust':
      return (
        /\.unwrap\w*\(|\.expect\w*\(|\?|\bpanic!|\w+!\s*[([{]|\bunreachable!|->\s*\w*Result/.test(bare) ||
        /\b(?:test|run|check|t|roundtrip)\w*\(/.test(body)
      );
    default:
      return /\b(?:verify|run|perform|doTest|test|check)\w*\s*\(|\.(?:should|must)\b|\bsubject\b|\bthrow\b/.test(body);
  }
}
