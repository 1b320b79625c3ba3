import { shortenEnd } from '../tools/shorten.ts';

/*
 * What agents say when they end without having done the work. Only what an agent says of itself or of its task counts:
 * words in quotation marks and code are somebody else's, and "the request is blocked" may be what the change is about.
 * The rules are English, as the agents' instructions are.
 */

const SHOWN_CHARACTERS = 300;

const DO_IT =
  '(?:make|do|implement|complete|finish|apply|carry out|change|edit|modify|solve|resolve|fix|proceed|continue|go on|perform|write|update|create|add|deliver|get (?:this|it|that) (?:to work|working|done))(?! (?:(?:a|an|any|another|the) )?(?:\\w+ )?tests?\\b)(?! (?:it|(?:a|the) \\w+) (?:fail|crash|hang)\\b)';
const WORK = '(?:the|this|my) (?:change|changes|work|task|plan|implementation|fix|feature|refactoring|migration)';
const DONE = '(?:done|made|finished|complete|completed|implemented|carried out|started|solved)';
const NOT_POSSIBLE = '(?:not feasible|infeasible|not possible|impossible)';

/** How an agent says that it cannot, as part of a rule. */
const CANNOT =
  "(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|(?:am|was|are|were|have been) (?:not able|unable) to|(?:have|had) not been able to|am not (?:allowed|permitted) to|failed to|did not manage to|didn't manage to)";

/** What ends a statement, as part of a rule. */
const END = '(?=\\s*(?:$|[.,;:!(–—-]|because\\b|since\\b|yet\\b|so far\\b|at all\\b))';

/** A rule for one sentence, in any case of its letters. */
function rule(source: string): RegExp {
  return new RegExp(source, 'i');
}

const refusals: readonly RegExp[] = [
  rule(`\\bI ${CANNOT} (?:help|assist|comply|participate|engage|fulfil|support)`),
  rule(`\\bI ${CANNOT}.*\\b(?:this|that|your|the) request\\b`),
  rule('\\bI (?:must |have to |respectfully )*(?:decline|refuse)\\b'),
  rule('\\bagainst (?:my|the) (?:guidelines|policy|policies|principles|instructions)\\b'),
];

const NOT_REVIEWED = rule(
  `\\bI (?:${CANNOT}|(?:did|have) not) (?:\\w+ly )?(?:review|reviewed|read|see|seen|look at|looked at|assess|judge|open|access) (?:the|this|any(?: of the)?) (?:diff|change|changes|patch|code)\\b`,
);

const unfinished: readonly RegExp[] = [
  // "Status: incomplete", "Not done." But "Not done: nothing" says the opposite.
  rule(
    '^(?:(?:status|outcome|result) ?[:=] ?)?(?:blocked|incomplete|unfinished|not (?:yet )?(?:done|finished|completed?|implemented))(?= ?(?:$|[:.!]| [–—-] ))(?! ?: ?(?:nothing|none|no\\b|0|-))',
  ),
  rule('^(?:status|outcome|result) ?[:=] ?(?:failed|failure|partial)'),
  rule(`^(?:status|outcome|result) ?[:=] ?(?:in progress|pending)${END}`),
  rule(`^(?:task|work|plan) (?:incomplete|unfinished|failed|not (?:done|completed?|finished))${END}`),
  rule('^(?:stopping|stopped|aborting|aborted|giving up|work in progress|wip)(?: here| now)?(?= ?(?:$|[:.!]))'),
  rule(`^(?:(?:failed|failure)[.!]?$|${NOT_POSSIBLE}(?= ?[:.!]))`),
  rule(`^to ?do\\b(?= ?[:–—-])|\\b(?:is|are|remains?|left as) (?:still )?(?:a )?TODO${END}`),
  /\bBLOCKED\b(?=:| [–—-] )/,
  rule('^(?:(?:I am|I was|we are|work is|this is) )blocked\\b'),
  // "I was not able to make the change", "Unable to proceed". But what an agent says of tests is honest: "I could not run the
  // browser tests", "I could not write a test that fails". Whether a test is missing, the service and the review find out.
  rule(`\\b(?:I|we) ${CANNOT} (?:\\w+ly )?${DO_IT}\\b`),
  rule(
    `^(?:sorry, (?:but )?)?(?:unable to|not able to|could not|couldn't|cannot|can't|failed to) (?:\\w+ly )?${DO_IT}\\b`,
  ),
  rule(
    `\\bI (?:did not|didn't|have not|haven't) (?:yet )?(?:make|made|implement|implemented|complete|completed|finish|finished|do|done|carry out|carried out|start|started) (?:it|this|anything|(?:any|the) (?:change|changes|plan|fix|work|edits?|steps?))${END}`,
  ),
  rule(`\\bI (?:have not|haven't|did not|didn't) (?:yet )?changed? (?:anything|any (?:code|files?))${END}`),
  rule(`\\bI (?:have )?made no (?:changes?|edits?)(?: to (?:the|any) (?:code|files?|repository))?${END}`),
  rule(`\\bI (?:have )?(?:reverted|rolled back|undid) (?:all |my |of |the )*(?:changes|edits|work)${END}`),
  rule(`^all (?:of )?(?:my |the )?(?:changes|edits) (?:were|have been) (?:reverted|rolled back|undone)${END}`),
  rule(`\\bI (?:was only able to|only managed to|could only) ${DO_IT}\\b`),
  rule(
    '\\bI (?:was (?:not |un)successful|did not succeed|did not finish)\\b|\\bmy (?:\\w+ )?attempts? (?:\\w+ ){0,6}failed\\b',
  ),
  // "The change is not complete", "steps 2 and 3 are missing", "only partially done".
  rule(
    `\\b${WORK} (?:is|are|was|were|remains?|has|have) (?:still |only |now |been )*(?:not (?:yet )?(?:been )?${DONE}|incomplete|unfinished|undone|blocked|(?:partial|partially ${DONE}|half[- ]\\w+))${END}`,
  ),
  rule(`\\b${WORK} (?:cannot|can't|can not|could not|couldn't) be ${DONE}`),
  rule(
    `\\bsteps? \\d[\\d, and–-]* (?:is|are|was|were|remains?|has|have) (?:still |been )*(?:missing|open|left|undone|to do|skipped|not (?:yet )?(?:been )?${DONE})`,
  ),
  rule('\\bI (?:have )?(?:skipped|left out|omitted) steps? \\d'),
  rule('\\b(?:more|further|additional) work is (?:needed|required|necessary) (?:to|before|until)\\b'),
  rule('\\bI will (?:do|finish|implement|complete|handle|make) (?:the )?(?:rest|remaining|remainder|others?)\\b'),
  rule(
    `(?:^|\\b(?:is|was|are|were|only|a) )(?:only )?(?:partial|partially|partly|half) (?:${DONE}|implementation|fix|change)${END}`,
  ),
  rule(
    `^(?!.*\\b(?:nothing|none|no)\\b).*\\b(?:remains?|still (?:has|have|needs?)|is left|are left|yet) to be ${DONE}`,
  ),
  rule(
    `\\b(?:nothing|no (?:code|files?|changes?|edits?)) (?:was|were|has been|have been|is|are|could be) (?:yet )?(?:changed|made|edited|done|written|modified|implemented)${END}(?! ?[,;:–—-]? ?(?:only|just|but|except|besides|beyond|outside|apart))`,
  ),
  rule('\\bI (?:ran|have run|am running) out of (?:time|turns|budget|context|tokens)\\b'),
  rule(
    '\\bI (?:gave|give|have given|am giving) up\\b|\\bI (?:had to|must|have to|need to) stop\\b|\\bI (?:stop|stopped) here\\b',
  ),
  rule('\\bas far as I (?:got|came)\\b|\\bI (?:am|got|was) stuck\\b|\\bnothing (?:that |more )?I can do\\b'),
  rule('\\bI (?:have )?(?:hit|reached|exceeded) (?:the|my) (?:limit|maximum|budget|turn|token)'),
  rule(
    '\\bI do not have (?:(?:any )?permissions? to|access to (?:the |this |your |any )*(?:files?|repository|code\\w*|project|tools?)|the (?:tools?|ability|means) to)\\b',
  ),
  rule(`^(?:this|the (?:approved )?plan|the task) (?:is|was) ${NOT_POSSIBLE}(?:${END}| within\\b| as\\b)`),
  rule(
    '\\b(?:apply|make) (?:the following|this|these) (?:changes?|edits?|patch|diff)\\b|^I would (?:change|edit|replace|fix)\\b',
  ),
  rule(
    '^(?:here|this|below) (?:is|are) (?:what|the changes?|the edits?) (?:that )?you (?:should|need to|have to|must)\\b',
  ),
  rule('\\b(?:waiting|wait) for your (?:confirmation|approval|input|decision|answer|reply|instructions?)\\b'),
  rule(
    `\\bit (?:is|was) (?:not possible|impossible) (?:for me )?to (?:implement|complete|finish|carry out|make (?:the|this) change)`,
  ),
  rule(
    '\\bI (?:would |will |still )?need (?:more|further|additional|your|some) (?:information|clarification|details|input|guidance|context|permission|access|confirmation|approval)\\b',
  ),
  rule('^(?:please|could you|can you) (?:first )?(?:provide|clarify|confirm|specify|tell)\\b'),
];

/** Words that count only at the end: "Next I will run the tests" announces, "Shall I go on?" asks. */
const lastWords: readonly RegExp[] = [
  rule(
    '^(?:(?:now|next|then|first|so|okay|ok),? )*(?:I(?: will| am going to| need to| have to)|let me|let us)(?: now| then| first| next)? (?:read|look|check|change|edit|implement|add|update|fix|write|start|begin|continue|make|run|create|apply|search|open|proceed|modify|test|verify|move|rename|refactor|go|do)\\b',
  ),
  rule(
    '^(?:now )?(?:continuing|proceeding|moving on|carrying on) (?:with|to)\\b|^now (?:editing|updating|reading|writing)\\b',
  ),
  rule('^next(?: steps?)?: ?(?:read|change|edit|implement|add|update|fix|write|run|create|test|verify)\\b'),
  rule('^(?:should|shall|may|can|could) I\\b.*\\?$|^(?:do|would|could|can|will) you\\b.*\\?$'),
  rule(
    '^let me know (?:if|whether|when|how|which)\\b.*\\bme to (?:implement|continue|proceed|do|make|finish|complete|go on|apply)\\b',
  ),
];

/** The sentence in which an agent refuses the work itself; null when there is none. */
export function refusalIn(text: string): string | null {
  return sentencesOf(text).find((sentence) => refusals.some((one) => one.test(plain(sentence)))) ?? null;
}

/** The sentence in which a reviewer says that it did not or could not review; null when there is none. */
export function notReviewedIn(text: string): string | null {
  const rules = [...refusals, NOT_REVIEWED];
  return sentencesOf(text).find((sentence) => rules.some((one) => one.test(plain(sentence)))) ?? null;
}

/** The sentence by which an end in words is none: the work is blocked, incomplete, or only announced; null when there is none. */
export function unfinishedIn(text: string): string | null {
  return unfinishedSentences(text)[0] ?? null;
}

/** All such sentences, in their order. What follows `Reproduction:` tells of a test, and the coder was asked for it. */
export function unfinishedSentences(text: string): string[] {
  const sentences = sentencesOf(text).filter((sentence) => !/^reproduction ?:/i.test(sentence));
  const found = sentences.filter((sentence) => [...unfinished, ...handedOver].some((one) => one.test(plain(sentence))));
  if (found.length > 0) return found;
  const last = sentences.at(-1);
  return last !== undefined && lastWords.some((one) => one.test(plain(last))) ? [last] : [];
}

function sentencesOf(text: string): string[] {
  const words = text
    .replaceAll('’', "'")
    .replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, '…')
    .replaceAll(/"[^"\n]*"|“[^”\n]*”|«[^»\n]*»/g, '…');
  return words
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) =>
      shortenEnd(sentence.replaceAll(/[*_#>~]+/g, '').replace(/^[\s\-–—•\p{So}\p{Mn}]+|\s+$/gu, ''), SHOWN_CHARACTERS),
    )
    .filter((sentence) => sentence !== '');
}

/** Without contractions that stand for a verb, and with single spaces. */
function plain(sentence: string): string {
  return sentence
    .replaceAll(/\bI'm\b/gi, 'I am')
    .replaceAll(/\bI'll\b/gi, 'I will')
    .replaceAll(/\bI've\b/gi, 'I have')
    .replaceAll(/\blet's\b/gi, 'let us')
    .replaceAll(/\b(is|are|was|were|has|have|had|do|does|did)n't\b/gi, '$1 not')
    .replaceAll(/\s+/g, ' ');
}

/** A statement about the product, and not about the work: "an endpoint that is not implemented". */
const OF_WORK = '^(?!.*\\b(?:that|which|who|when|if|where|while|unless|until)\\b)';

/** Sentences that say that something was red before the work: that is not its end. */
const NEWLY = '^(?!.*\\b(?:before|base|unrelated|pre-?existing|already|no longer)\\b)';
const PART =
  '(?:(?:the|my) )?(?:implementation|rest|remainder|wiring|(?:second|other|remaining|last) (?:half|part|parts|steps?|files?))';

/** Ends that name a state that must not be published, or that hand the work over to the reader. */
const handedOver: readonly RegExp[] = [
  rule(`${NEWLY}.*\\b(?:tests?|suite|build|compilation)\\b.*\\b(?:still|currently) (?:fails?|failing|broken|red)\\b`),
  rule(`${NEWLY}.*\\bbut\\b.*\\b(?:is|are) still (?:broken|wrong|failing|missing|incomplete|unsupported)\\b`),
  rule(
    `\\b${PART} (?:is|are|was|were) (?:still )?(?:pending|outstanding|missing|open|to follow|(?:left|deferred|postponed)(?: (?:as|for|to)\\b.*)?)${END}`,
  ),
  rule(`${OF_WORK}.*\\b(?:is|are) not (?:yet )?implemented${END}`),
  rule(
    `${OF_WORK}.*\\b(?:change|changes|plan|edits?|fix|step)\\b.*\\b(?:has|have|was|were) (?:\\w+ )?not (?:yet )?been (?:made|carried out|implemented|applied|done)${END}`,
  ),
  rule('\\bnot all (?:of the )?(?:acceptance )?criteria (?:is|are)\\b|\\bcriteri(?:on|a) (?:is|are) (?:not |un)met\\b'),
  rule('^(?:only )?partial (?:success|completion|progress)\\b|\\b(?:some|made) progress\\b.*\\bbut\\b'),
  rule('^blocked (?:by|on|because|due)\\b'),
  rule('\\b(?:stubbed|hard-?coded|placeholder|dummy|mocked)\\b.*\\bfor now\\b'),
  rule('\\bleft an? (?:\\w+ )?(?:placeholder|stub)\\b|\\bneeds? to be (?:implemented|completed|finished|filled in)\\b'),
  rule("\\bnothing (?:that )?I could (?:change|do|edit|fix)\\b|\\bI (?:do not|don't) have an? (?:fix|solution)\\b"),
  rule(
    `\\bI ${CANNOT} (?:find|locate) (?:the|that|this) (?:file|function|class|method|module|code|symbol|component|endpoint)\\b`,
  ),
  rule(
    `\\bI (?:have been unable to|${CANNOT}) get (?:the|this|these|it|all|any)\\b.*\\bto (?:pass|work|compile|build)\\b`,
  ),
  rule('\\bI (?:tried|attempted)\\b.*\\bbut\\b.*\\b(?:failed|did not (?:work|apply|help)|without success)'),
  rule('\\bI (?:was|am|have been|got) (?:interrupted|cut off)\\b|\\bbefore I could (?:finish|complete)\\b'),
  rule('\\bmy (?:changes|edits|work) (?:is|are|was|were|has been|have been) (?:reverted|undone|discarded|lost)\\b'),
  rule(
    `\\bI left (?:it|everything|the (?:code|tree|implementation|repository)) (?:as it (?:is|was)|as is|unchanged|untouched)${END}`,
  ),
  rule("\\bI(?: would|'d)? (?:recommend|suggest) (?:making|adding|changing|applying|that you|you)\\b"),
  rule(
    '\\byou (?:should|need to|have to|must) (?:now |first )?(?:add|insert|paste|copy)\\b.*\\b(?:file|code)\\b|\\bcode (?:that )?you (?:should|need to) add\\b',
  ),
  rule('\\bbefore I (?:continue|proceed|go on|start|make|change)\\b'),
];
