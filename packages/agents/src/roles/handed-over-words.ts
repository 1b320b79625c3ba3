import { CANNOT, END, rule } from './words-of-agents.ts';

/** A statement about the product, and not about the work: "an endpoint that is not implemented". */
const OF_WORK = '^(?!.*\\b(?:that|which|who|when|if|where|while|unless|until)\\b)';
/** Sentences that say that something was red before the work: that is not its end. */
const NEWLY = '^(?!.*\\b(?:before|base|unrelated|pre-?existing|already|no longer)\\b)';
const PART =
  '(?:(?:the|my) )?(?:implementation|rest|remainder|wiring|(?:second|other|remaining|last) (?:half|part|parts|steps?|files?))';

/** Ends that name a state in which nobody would publish, or that hand the work over to the reader. */
export const handedOver: readonly RegExp[] = [
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
