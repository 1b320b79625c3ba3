import { SEPARATORS } from './test-name-parts.ts';

/** Words about tests that are to be fixed, behind the name of their file or suite. */
const FAIL = String.raw`\s+(?:(?:is|are|was|were|still|currently|now|all|keeps?|must|should)\s+){0,3}(?:fail(?:s|ing|ed)?|red|broken|pass(?:es|ing)?|green)\b`;
const FAILS = new RegExp(`^["'\`”’]?(?:\\s+(?:tests?|specs?|suite))?${FAIL}`, 'i');
const SUITE_FAILS = new RegExp(`^["'\`”’]?\\s+(?:tests|specs|(?:test )?suite)${FAIL}`, 'i');
const FIX =
  /\b(?:fix|repair) (?:(?:all|the|every|failing|broken|red) ){0,3}(?:(?:tests?|specs?|failures?|suite) )?(?:(?:in|of) )?["'`“‘]?$/i;

const MIN_LENGTH = 3;

/** Whether a sentence asks for the file, the class or the suite of a test. */
export function isGroupNamedIn(sentence: string, name: string): boolean {
  return groupsOf(name).some(({ form, isWord }) => {
    for (let at = sentence.indexOf(form); at >= 0; at = sentence.indexOf(form, at + 1)) {
      const before = sentence.slice(Math.max(0, at - 60), at);
      const after = sentence.slice(at + form.length, at + form.length + 60);
      if (/[\w$/.-]$/.test(before) || /^[\w$]/.test(after)) continue; // a part of another word
      if (isWord ? SUITE_FAILS.test(after) : FAILS.test(after) || FIX.test(before)) return true;
    }
    return false;
  });
}

interface Group {
  readonly form: string;
  /** A word that means other things too: it is the name of a suite only beside that word. */
  readonly isWord: boolean;
}

function groupsOf(name: string): Group[] {
  const parts = name.split(SEPARATORS);
  const last = parts.pop() ?? '';
  // `x.AppTest.adds` of surefire, `TestSum/no_prices` of Go.
  const inLast = /^[\w$]+(?:\.[\w$]+)+$/.test(last) ? last.split('.').slice(0, -1) : last.split('/').slice(0, -1);
  const forms = [...parts, ...inLast].flatMap((part) => [part, part.split('/').at(-1) ?? part]);
  return [...new Set(forms)]
    .filter((form) => form.length >= MIN_LENGTH)
    .map((form) => ({ form, isWord: !/\.\w+$|[a-z\d]Test|Test[A-Z]|Spec$|_test|test_/.test(form) }));
}

const TESTS = String.raw`(?:\w+ )?(?:tests|specs|(?:test )?suites?)`;
const BUILD =
  '(?:ci|the (?:ci|build|pipeline|(?:test )?suite|tests)|(?:the )?(?:main|master)|all (?:of )?(?:the )?tests|everything)';
const PASS = String.raw`(?:\w+ )?(?:pass|be green|be fixed|succeed)`;
const ASKS = '(?:must|should|shall|ha(?:s|ve) to|needs? to)';
const ALL = new RegExp(
  [
    String.raw`\b(?:all|every)(?: of)?(?: the| our| these)? ${TESTS} ${ASKS} ${PASS}\b`,
    String.raw`\b(?:fix|repair) (?:all |every )?(?:of )?(?:the |our )?(?:failing|broken|red|failed|remaining) ${TESTS}(?! in\b| of\b| for\b)`,
    String.raw`\b(?:fix|repair) (?:the |our )?(?:ci|build|test suite|pipeline)\b(?! (?:in|of|for)\b)`,
    String.raw`\b(?:failing|broken|red) tests (?:are|need|have|must|should|ought) (?:to )?(?:be )?(?:fixed|pass|fixing)\b`,
    String.raw`\b(?:make|get|turn|bring) ${BUILD} (?:\w+ ){0,2}?(?:green|pass|passing)\b`,
    String.raw`\b${BUILD} ${ASKS} (?:be(?:come)?|get|go|turn) green\b`,
  ].join('|'),
  'i',
);

/** Whether a sentence asks for all failing tests, or for a build that is green. */
export function asksForAllTests(sentence: string): boolean {
  return ALL.test(sentence);
}
