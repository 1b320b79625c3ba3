/** The last `chars` characters of a command's output, from a line's start where that costs little. */
export function outputTail(output: string, chars: number): string {
  const text = output.trimEnd();
  if (text.length <= chars) return text;
  const tail = text.slice(-chars);
  const lineEnd = tail.indexOf('\n');
  // The cut may split a surrogate pair, which Postgres refuses.
  return (lineEnd >= 0 && lineEnd < chars / 4 ? tail.slice(lineEnd + 1) : tail).toWellFormed();
}
