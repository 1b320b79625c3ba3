/** Keeps head and tail of a text over `limit` characters, with a line between them that says how much is missing. */
export function shortenMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit / 2);
  const tail = limit - head;
  const left = text.length - head - tail;
  return `${text.slice(0, head).toWellFormed()}\n… ${left} characters left out …\n${text.slice(text.length - tail).toWellFormed()}`;
}

/** Keeps the head of a text over `limit` characters, ending in an ellipsis. */
export function shortenEnd(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}
