import { SEPARATORS } from './test-name-parts.ts';

/**
 * Words by which a sentence says that a test is not what is to be fixed. "Keeps failing" and "ignores the offset" are what
 * people write of a bug, so such words count only with what makes them a permission.
 */
const EXCUSED = new RegExp(
  [
    String.raw`\b(?:unrelated|pre-?existing|out of scope|known (?:failure|to fail|flaky|issue))\b`,
    String.raw`\bnot (?:related|part of|in scope|in this|caused|touched|(?:to )?be (?:fixed|touched|addressed|changed))\b`,
    String.raw`\b(?:do|does|will) not (?:fix|touch|address|change)\b`,
    String.raw`\bleav(?:e|ing)\b.{0,200}\b(?:as (?:it|they|before|is|are)|alone|red|failing|broken|untouched)\b`,
    String.raw`\bignor(?:e|ing) (?:\S+ ){0,3}\S*(?:test|fail)`,
    String.raw`\b(?:remain|stay)s? (?:red|failing|broken)\b`,
    String.raw`\b(?:will|may|can|might) (?:still|keep|continue|go on)\b.{0,40}\b(?:fail\w*|red|broken)\b`,
    String.raw`\b(?:regardless of|not affected by) (?:this|the|our) (?:change|fix|issue|plan|work)\b`,
  ].join('|'),
  'i',
);

/** A word that people use for other things too names a test only in quotes or beside the word "test". */
const DISTINCT_LENGTH = 8;
const SHORTEST = 3;
const LONGEST_TEXT = 100_000; // characters of all texts together: an issue's and a plan's bounds are below

/**
 * The tests that texts name as what is to be fixed: by the whole name, or by its last part as people write it. A sentence
 * that calls a failure unrelated, known or out of scope names nothing. A text in doubt names the test, because then it must
 * pass.
 *
 * @param failing names of failing tests, as reports give them
 * @param texts of the issue, its plan and reviews
 */
export function namedTests(failing: readonly string[], texts: readonly string[]): string[] {
  const sentences = texts
    .join('\n')
    .slice(0, LONGEST_TEXT)
    .split(/(?<=[.!?;])\s+|\n+/)
    .filter((sentence) => !EXCUSED.test(sentence))
    .map((sentence) => plain(sentence).toLowerCase());
  return failing.filter((name) => {
    const forms = formsOf(name);
    return sentences.some((sentence) => forms.some((form) => isNamedIn(sentence, form)));
  });
}

/** The whole name and its last part, without parameters. */
function formsOf(name: string): string[] {
  const whole = name.replace(/ \(\d+\)$/, '');
  const last = whole.split(SEPARATORS).at(-1) ?? whole;
  // `test_old (test_a.Old.test_old)` of unittest, `x.AppTest.adds` of surefire, `test_param[a b]` of pytest.
  const bare = last.replace(/[[(].*$/, '').trim();
  const method = /^[\w.$]+\.(\w+)$/.exec(bare)?.[1] ?? bare;
  return [...new Set([whole, last, bare, method].map(plain))].filter((form) => form.length >= SHORTEST);
}

function isNamedIn(sentence: string, named: string): boolean {
  const form = named.toLowerCase();
  for (let at = sentence.indexOf(form); at >= 0; at = sentence.indexOf(form, at + 1)) {
    const before = sentence.slice(Math.max(0, at - 12), at);
    const after = sentence.slice(at + form.length, at + form.length + 12);
    if (/[\w$]$/.test(before) || /^[\w$]/.test(after)) continue; // a part of another word
    if (isDistinct(named)) return true;
    if (/["'`“‘]$/.test(before) && /^(?:["'`”’]|\(\))/.test(after)) return true;
    if (/\btests?:? (?:named |called )?["'`]?$/.test(before) || /^["'`]? tests?\b/.test(after)) return true;
  }
  return false;
}

/** Whether people would not write this by chance: several words, or an identifier of several. */
function isDistinct(form: string): boolean {
  return form.length >= DISTINCT_LENGTH && /[\s_.:>/-]|[a-z][A-Z]/.test(form);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
