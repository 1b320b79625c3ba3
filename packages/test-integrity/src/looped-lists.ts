import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';

/**
 * The values of the lists that a test runs through, in the order in which they stand there: `for x in [1, 2]`,
 * `range []string{"a"}`, `%w[a b].each`, `@ValueSource(ints = {1, 2})`, or a list under a name that a loop runs through.
 */
export function loopedValues({ bare, code }: Pick<TestCase, 'bare' | 'code'>): string[] {
  const looped = new Set(Array.from(bare.matchAll(LOOPED), ([, a, b, c]) => a ?? b ?? c ?? ''));
  const open: number[] = [];
  const lists: { readonly from: number; readonly values: readonly string[] }[] = [];
  for (const { index, 0: sign } of bare.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(sign)) {
      open.push(index);
      continue;
    }
    const from = open.pop();
    if (from === undefined || index - from > MAX_LIST_LENGTH || lists.length >= MAX_LISTS) continue;
    const before = bare.slice(Math.max(0, from - NEAR), from);
    const name = ASSIGNED.exec(before)?.[1];
    const isLooped =
      LOOP.test(before) ||
      (name !== undefined && looped.has(name)) ||
      RUNS_THROUGH.test(bare.slice(index + 1, index + NEAR));
    if (isLooped) lists.push({ from, values: valuesIn(code.slice(from + 1, index), before) });
  }
  return lists.sort((a, b) => a.from - b.from).flatMap(({ values }) => values);
}

const MAX_LIST_LENGTH = 5_000; // characters of a list
const NEAR = 100; // characters around a list
const MAX_LISTS = 50; // in one test

/** The type of a list, or the function that makes one, before its bracket. */
export const KIND =
  /(?:&|vec!\s*|\[[\d.]*\]\s*\*?(?!struct\b|func\b)[\w.]+|(?:(?:mutable)?[lL]ist|[sS]et|Stream|IntStream|Flux|sequence|array)(?:Of|\.of)\s*|Arrays\.asList\s*|new\s+\w+\[\]\s*|%[wi])?/
    .source;
const LOOP = new RegExp(
  `(?:\\bfor\\b[^\\n]*?\\b(?:of|in|range)\\s+${KIND}|\\bfor\\s*\\([^\\n;]*:\\s*${KIND}|@(?:CsvSource|ValueSource)\\s*\\(\\s*(?:\\w+\\s*=\\s*)?|\\.each\\(\\s*|\\bparametrize\\([^[\\]\\n]*|#\\[(?:values|case)\\s*)$`,
);
const ASSIGNED = new RegExp(`(?<![\\w.])([A-Za-z_]\\w*)[ \\t]*(?::[^=\\n]*)?:?=[ \\t]*${KIND}$`);
const RUNS_THROUGH = /^\s*\.(?:each|forEach|for_each|iter|into_iter|each_with_index)\b(?!\s*\(\s*\[)/;
/** Names of what loops run through. */
const LOOPED =
  /\bfor\b[^\n]{0,100}?\b(?:of|in|range)\s+&?([A-Za-z_]\w*)\s*[:{)\n]|(?<![\w.])([A-Za-z_]\w*)\.(?:each|forEach|for_each|iter)\b|\.each\(\s*([A-Za-z_]\w*)\s*\)/g;

/** Rows on lines of their own are told by their brackets, here or elsewhere: they are not counted twice. */
function valuesIn(list: string, before: string): readonly string[] {
  if (/%[wi]$/.test(before)) return list.split(/\s+/).filter((word) => word !== '');
  const isOnLines = list.includes('\n');
  return splitArguments(list)
    .map((value) => value.trim())
    .filter((value) => value !== '' && !(isOnLines && /^&?(?:Some)?[[({]/.test(value)));
}

const PART_OF =
  /\b(?:of|in|range)\s+&?([A-Za-z_]\w*)(?:\[[^\]\n]*:[^\]\n]*\]|\[[^\]\n]*\.\.[^\]\n]*\]|\.(?:slice|take|first|skip|drop|filter)\b)|\.each\(\s*([A-Za-z_]\w*)\.(?:slice|filter)\(|\bparametrize\([^\n]*,\s*([A-Za-z_]\w*)\[[^\]\n]*:/g;

/** The names of lists of which a test runs through a part. */
export function partlyLooped({ bare }: Pick<TestCase, 'bare'>): ReadonlySet<string> {
  return new Set(Array.from(bare.matchAll(PART_OF), ([, a, b, c]) => a ?? b ?? c ?? ''));
}
