const MAX_STARTS = 150; // braces that are tried as the start of an object; code in a text has some, an answer has one

export interface JsonObject {
  readonly value: object;
  /** Nothing but the beginning of a Markdown fence or a tag stands before it. */
  readonly isFirst: boolean;
  /** Nothing but the end of a Markdown fence or of a tag follows it. */
  readonly isLast: boolean;
}

/** The JSON objects in a text, in order, without those inside another. */
export function jsonObjectsIn(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let from = 0;
  for (let tried = 0; tried < MAX_STARTS; tried += 1) {
    const start = text.indexOf('{', from);
    if (start < 0) break;
    const end = endOfObject(text, start);
    const value = end === null ? null : parsed(text.slice(start, end));
    if (end === null || value === null) {
      from = start + 1;
      continue;
    }
    const isFirst = /^\s*(?:<\w+>\s*)?(?:```\w*\s*)?$/.test(text.slice(0, start));
    found.push({ value, isFirst, isLast: /^[\s`]*(?:<\/\w+>\s*)?$/.test(text.slice(end)) });
    from = end;
  }
  return found;
}

/** The index after the brace that closes the object; null when none does. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const one = text[at];
    if (isString) {
      if (one === '\\') at += 1;
      else if (one === '"') isString = false;
    } else if (one === '"') isString = true;
    else if (one === '{') depth += 1;
    else if (one === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(json: string): object | null {
  try {
    return JSON.parse(json) as object;
  } catch {
    return null;
  }
}
