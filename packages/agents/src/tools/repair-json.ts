/**
 * Reads JSON with the slips that weak models make: a fence around it, line breaks and tabs inside a text, a comma too
 * many, the constants of Python. What broke off in the middle stays unreadable: half a file must not be written.
 *
 * @returns null for a text that is no JSON even so
 */
export function repairJson(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^```\w*\n/, '')
    .replace(/\n?```$/, '');
  try {
    return JSON.parse(withPlainTokens(bare));
  } catch {
    return null;
  }
}

/** A text without an end is one token up to the end: each quote in it would be tried again, for seconds in half a file. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|,(?=\s*[}\]])|\b(?:True|False|None)\b/gs;
const CONSTANTS: Readonly<Record<string, string>> = { ',': '', True: 'true', False: 'false', None: 'null' };
const CONTROLS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function withPlainTokens(text: string): string {
  return text.replaceAll(TOKENS, (token) =>
    token.startsWith('"')
      ? token.replaceAll(/[\n\r\t]/g, (control) => CONTROLS[control] ?? control)
      : (CONSTANTS[token] ?? token),
  );
}
