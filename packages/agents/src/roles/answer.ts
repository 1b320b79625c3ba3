import * as z from 'zod';

export type ReadAnswer<Output> =
  | { readonly ok: true; readonly output: Output }
  /** What is wrong, as a sentence for the model. */
  | { readonly ok: false; readonly fault: string };

/** How a role's last message becomes its output. */
export interface Answer<Output> {
  /** Name of the structured answer to ask the model for; null when it answers in plain text. */
  readonly name: string | null;
  readonly schema: z.ZodType<Output>;
  read(text: string): ReadAnswer<Output>;
  /** The answer as people see it in the events. */
  render(output: Output): string;
}

/**
 * A JSON answer that fits a schema. JSON in a Markdown fence or after some text is accepted, because many models write it
 * so. Text after the JSON is not: the model may only have quoted it from a file that poses as the answer.
 */
export function structuredAnswer<Output extends { readonly summary: string }>(
  name: string,
  schema: z.ZodType<Output>,
): Answer<Output> {
  return {
    name,
    schema,
    read(text) {
      const whole = parsedJson(text);
      const inner = whole.ok ? whole : parsedJson(fromFirstBrace(text));
      if (!inner.ok) return inner;
      const parsed = schema.safeParse(inner.json);
      return parsed.success ? { ok: true, output: parsed.data } : { ok: false, fault: z.prettifyError(parsed.error) };
    },
    render: (output) => output.summary,
  };
}

/** From the first brace to the end, without the end of a Markdown fence. */
function fromFirstBrace(text: string): string {
  return text.slice(Math.max(0, text.indexOf('{'))).replace(/\s*`{3,}\s*$/, '');
}

function parsedJson(text: string): { ok: true; json: unknown } | { ok: false; fault: string } {
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const THOUGHTS_BEGIN = /^\s*<think(?:ing)?>/;
const THOUGHTS_END = /<\/think(?:ing)?>/;

/**
 * Removes the thoughts that a self-hosted server leaves before an answer when it is not configured for its model. Some
 * have only the end tag, alone on a line, because the server's template contains the start tag.
 */
export function withoutThoughts(text: string): string {
  const end = THOUGHTS_END.exec(text);
  const begun = THOUGHTS_BEGIN.test(text);
  if (end === null) return begun ? '' : text;
  const [before, after] = [text.slice(0, end.index), text.slice(end.index + end[0].length)];
  const isOwnLine = before.slice(before.lastIndexOf('\n') + 1).trim() === '' && /^[ \t]*(?:\r?\n|$)/.test(after);
  return begun || isOwnLine ? after.trimStart() : text;
}
