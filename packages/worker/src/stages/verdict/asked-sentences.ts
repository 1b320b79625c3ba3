/**
 * Words by which a sentence says that a test is not what is to be fixed. "Keeps failing" and "ignores the offset" are what
 * people write of a bug, so such words count only with what makes them a permission.
 */
const EXCUSE = [
  String.raw`\b(?:unrelated|pre-?existing|out of scope|known (?:failure|to fail|flaky|issue))\b`,
  String.raw`\bnot (?:related|part of|in scope|in this|caused|touched|(?:to )?be (?:fixed|touched|addressed|changed))\b`,
  String.raw`\b(?:do|does|will) not (?:fix|touch|address|change)\b`,
  String.raw`\bleav(?:e|ing)\b.{0,200}?\b(?:as (?:it|they|before|is|are)|alone|red|failing|broken|untouched)\b`,
  String.raw`\bignor(?:e|ing) (?:\S+ ){0,3}?\S*(?:test|fail)`,
  String.raw`\b(?:remain|stay)s? (?:red|failing|broken)\b`,
  String.raw`\b(?:will|may|can|might) (?:still|keep|continue|go on)\b.{0,40}?\b(?:fail\w*|red|broken)\b`,
  String.raw`\b(?:regardless of|not affected by) (?:this|the|our) (?:change|fix|issue|plan|work)\b`,
  String.raw`\b(?:fix|repair)\w* (?:\S+ ){0,2}?(?:later|separately|elsewhere|upstream|(?:in|by|with) (?:another|a (?:later|separate|different)))\b`,
].join('|');
const EXCUSED = new RegExp(EXCUSE, 'i');
const EXCUSES = new RegExp(EXCUSE, 'gi');

/** Words by which it says that one is: a verb, not "the fix". They count more than an excuse beside them. */
const WANTED = new RegExp(
  [
    String.raw`(?<!\b(?:the|this|that|our|your|my|a|any|each|every|bug|hot)[ -])\b(?:fix|repair)\b`,
    String.raw`\b(?:want\w*|needs?|must|should|shall|to|ha(?:s|ve)) (?:\S+ ){0,2}?(?:be )?(?:fixed|repaired)\b`,
    String.raw`\b(?:must|should|shall|ha(?:s|ve) to|needs? to) (?:\w+ )?pass\b`,
    String.raw`\bmak(?:e|ing) .{0,100}?\b(?:pass|green)\b`,
    String.raw`\bfixing (?:it|them|this|that)\b`,
  ].join('|'),
  'i',
);

/** Speaks of the sentence before it. */
const POINTS_BACK = /\b(?:fix(?:ing)?|repair|make) (?:it|them|this|that|these|those|both)\b/i;

/** The sentences of texts; one that asks to fix "it" belongs to the one before. */
export function sentencesOf(texts: readonly string[], longest: number): string[] {
  const sentences: string[] = [];
  for (const sentence of texts
    .join('\n')
    .slice(0, longest)
    .split(/(?<=[.!?;])\s+|\n+/)) {
    const before = POINTS_BACK.test(sentence) ? sentences.pop() : undefined;
    sentences.push(before === undefined ? sentence : `${before} ${sentence}`);
  }
  return sentences;
}

/**
 * The requests in a sentence, in its narrowest reading first. Where it excuses and asks, the excuses are left out; in
 * the narrow reading so are the clauses that only excuse.
 *
 * @returns nothing for a sentence that only excuses
 */
export function askedIn(sentence: string): string[] {
  if (!EXCUSED.test(sentence)) return [sentence];
  if (!asksForFix(sentence)) return [];
  const clauses = sentence.split(/,\s|\s(?:and|but)\s/).filter((clause) => !EXCUSED.test(clause) || asksForFix(clause));
  return [clauses.join(', '), sentence].map(withoutExcuses);
}

function asksForFix(text: string): boolean {
  return WANTED.test(withoutExcuses(text));
}

function withoutExcuses(text: string): string {
  return text.replace(EXCUSES, ' ');
}
