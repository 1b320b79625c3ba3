import * as z from 'zod';

export type ReadAnswer<Output> =
  | { readonly ok: true; readonly output: Output }
  /** What is wrong, in words for the model. */
  | { readonly ok: false; readonly fault: string };

/** How a role's last message becomes its output. */
export interface Answer<Output> {
  /** Name of the structured answer to ask the model for; null when it answers in words. */
  readonly name: string | null;
  readonly schema: z.ZodType<Output>;
  read(text: string): ReadAnswer<Output>;
  /** The answer as people see it in the events. */
  shown(output: Output): string;
}

/**
 * An answer in JSON of a schema. JSON in a Markdown fence or after some words is taken too: many models cannot help it.
 * Words after it are not: whoever goes on talking may only have quoted it, from a file that wants to be the answer.
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
    shown: (output) => output.summary,
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
