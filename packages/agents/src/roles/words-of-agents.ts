/** How an agent says that it cannot, as part of a rule. */
export const CANNOT =
  "(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|(?:am|was|are|were|have been) (?:not able|unable) to|(?:have|had) not been able to|am not (?:allowed|permitted) to|failed to|did not manage to|didn't manage to)";
/** What ends a statement, as part of a rule. */
export const END = '(?=\\s*(?:$|[.,;:!(–—-]|because\\b|since\\b|yet\\b|so far\\b|at all\\b))';

/** A rule for one sentence, in any case of its letters. */
export function rule(source: string): RegExp {
  return new RegExp(source, 'i');
}
