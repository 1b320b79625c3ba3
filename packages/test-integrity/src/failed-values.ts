/** Values that a program gives by mistake: the text of a value that is none, an uncaught error. */
const FAILED =
  /\bNaN\b|\[object \w+\]|\bInvalid Date\b|(?<=[^\s:=(,[{][ \t]|[\w/"'`#$%>-])undefined\b|%!\w\(|<nil>|\bTraceback \(most recent|\b(?:Type|Reference|Attribute|Key|NoMethod|Name|ZeroDivision)Error\b|NullPointerException|\bpanicked at\b|\bpanic: |#<\w+:0x/gm;
const MAX_VALUES = 200; // in one text

/**
 * The first value that a program gives by mistake, and that is expected more often than before; null where there is none. What
 * the program itself speaks of is meant.
 */
export function failedValue(before: string, after: string, program: string): string | null {
  const count = (text: string) =>
    Map.groupBy(
      Array.from(text.matchAll(FAILED).take(MAX_VALUES), ([value]) => value.trim()),
      (value) => value,
    );
  const [had, has] = [count(before), count(after)];
  const found = [...has].find(
    ([value, all]) => all.length > (had.get(value)?.length ?? 0) && !program.includes(value.replace(/\W+$/, '')),
  );
  return found?.[0] ?? null;
}
