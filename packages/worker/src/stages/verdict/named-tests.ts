import { askedIn, sentencesOf } from './asked-sentences.ts';
import { asksForAllTests, isGroupNamedIn } from './named-groups.ts';
import { SEPARATORS } from './test-name-parts.ts';

/** A word that people use for other things too names a test only in quotes or beside the word "test". */
const DISTINCT_LENGTH = 8;
const MIN_LENGTH = 3;
const MAX_TEXT_LENGTH = 100_000; // characters of all texts together: an issue's and a plan's bounds are below

/**
 * The tests that texts name as what is to be fixed: by the whole name, or by its last part as people write it. A sentence
 * that calls a failure unrelated, known or out of scope names nothing, unless it asks for a fix as well. A text in doubt
 * names the test, because then it must pass.
 *
 * @param failing names of failing tests, as reports give them
 * @param texts of the issue, its plan and reviews
 * @param own those by people, who may also ask for a file, a suite or all tests; a plan names the files that it changes
 */
export function namedTests(failing: readonly string[], texts: readonly string[], own = texts): string[] {
  const requests = sentencesOf(own, MAX_TEXT_LENGTH).flatMap((sentence) => askedIn(sentence).slice(0, 1));
  if (requests.some(asksForAllTests)) return [...failing];
  const named = new Set(failing.filter((name) => requests.some((sentence) => isGroupNamedIn(sentence, name))));
  const formsByName = failing.map((name) => ({ name, forms: formsOf(name) }));
  for (const sentence of sentencesOf(texts, MAX_TEXT_LENGTH)) {
    for (const reading of askedIn(sentence)) {
      const text = plain(reading).toLowerCase();
      const found = formsByName.filter(({ forms }) => forms.some((form) => isNamedIn(text, form)));
      for (const { name } of found) named.add(name);
      if (found.length > 0) break;
    }
  }
  return failing.filter((name) => named.has(name));
}

/** The whole name and its last part, without parameters. */
function formsOf(name: string): string[] {
  const whole = name.replace(/ \(\d+\)$/, '');
  const last = whole.split(SEPARATORS).at(-1) ?? whole;
  // `test_old (test_a.Old.test_old)` of unittest, `x.AppTest.adds` of surefire, `test_param[a b]` of pytest.
  const bare = last.replace(/[[(].*$/, '').trim();
  const method = /^[\w.$]+\.(\w+)$/.exec(bare)?.[1] ?? bare;
  return [...new Set([whole, last, bare, method].map(plain))].filter((form) => form.length >= MIN_LENGTH);
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
