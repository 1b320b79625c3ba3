import type { ChangedFile } from '@sluice/core/change';

const MADE =
  /(?:(?:jest|vi|mock)\.fn\(|sinon\.(?:stub|spy|fake|mock|createStubInstance)\b|(?:\w+\.)*(?:Magic|Async|NonCallable)?Mock\(|(?:\w+\.)?create_autospec\(|(?:Mockito\.)?mockk?\b|(?:(?:instance|class|object)_)?(?:double|spy)\b|jasmine\.createSpy\w*|(?:\w+\.)?NewMock\w+\(|new\(\w*[mM]ock\w*|&?\w*[mM]ocks?\.\w+)/
    .source;
/** The holder of a double: a variable, a field, a member of an object, a fixture. */
const HOLDS = new RegExp(
  `\\b([A-Za-z_]\\w*)["']?[ \\t]*(?::[^=\\n(){}]{0,60})?:?[=:][ \\t]*(?:await[ \\t]+)?${MADE}|\\blet!?\\(:(\\w+)\\)\\s*(?:\\{|do\\b)\\s*${MADE}|\\bdef[ \\t]+(\\w+)\\([^()\\n]*\\)[^:\\n]*:\\s*(?:return|yield)[ \\t]+${MADE}|@(?:Mock|MockK|MockBean|MockitoBean)\\b[^;=\\n]*?(\\w+)[ \\t]*(?:;|:[ \\t]*\\w+[ \\t]*$)`,
  'gm',
);
/** An object that is made in the usual way of its language. */
const CREATED =
  /\bnew[ \t]+([A-Z]\w*)|\b([A-Z]\w*)(?:\.new\b|::new\(|\()|&([A-Z]\w*)\{|\b((?:New|new_|create|make|build|open)[A-Z_]?\w*)\(|(?:=>|lambda\b[^:\n]*:|->)\s*\{?\s*(\w+)\.(?:push|append|add)\(/g;
const MAX_DOUBLES = 200; // in one file

/** The names of what was a double in the tests of a file, where they take a real object instead. */
export function goneDoubles(files: readonly ChangedFile[]): (path: string) => ReadonlySet<string> {
  return (path) => {
    const { before, after } = files.find((file) => file.path === path) ?? { before: null, after: null };
    if (before === null || after === null) return NONE;
    const had = namesBy(HOLDS, before);
    if (had.size === 0) return NONE;
    const made = [...namesBy(CREATED, after).difference(namesBy(CREATED, before))];
    return made.some((name) => !/mock|stub|double/i.test(name)) ? had.difference(namesBy(HOLDS, after)) : NONE;
  };
}

const NONE: ReadonlySet<string> = new Set();

function namesBy(form: RegExp, text: string): Set<string> {
  return new Set(Array.from(text.matchAll(form).take(MAX_DOUBLES), ([, ...names]) => names.find((name) => name) ?? ''));
}

/** What only a double knows: that it was called. */
export const OF_CALLS =
  /toHaveBeen(?:Nth|Last)?Called|\bverify\w*\b|\bcalled|\.assert_(?:any|has|not)_|assert_(?:called|awaited)|have_received|AssertExpectations|Assert(?:Not)?Called|\bcallCount\b|\.mock\.calls|\bcall_(?:count|args)\b|\.calls\b/;
