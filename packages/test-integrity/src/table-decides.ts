/** A row's word about errors: where one is wanted, there is no value to check. */
const OF_ERRORS = /err|fail|panic|throw|raise|valid/i;
const WANTED = /want|expect/i;
const OPERATOR = /[!=]==?|[<>]=?|\bis(?:\s+not)?\b|\b(?:eq|ne)\b|\.(?:equals?|Equal)\(/;
const EMPTY = /(?:\b(?:nil|null|None|undefined|0|false|False)\b|""|''|``)/;
const IS_EMPTY = new RegExp(`(?:===?|\\bis)\\s*${EMPTY.source}`);
const FOUND = /\b(?:got|actual|result|res|out|output|response|received)\b/i;

/** Whether the rows of a table say by this condition which checks are made for them: `if tt.want != "" {` around a check. */
export function tableDecides(condition: string): boolean {
  return WANTED.test(condition) && !(FOUND.test(condition) && OPERATOR.test(condition) && !OF_ERRORS.test(condition));
}

/** The same for an exit before a check: only a row that wants nothing, or an error, has nothing more to be checked. */
export function tableDecidesExit(condition: string): boolean {
  if (!WANTED.test(condition)) return false;
  return OF_ERRORS.test(condition) || !OPERATOR.test(condition) || IS_EMPTY.test(condition);
}
