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

/** An answer in JSON of a schema. JSON in a Markdown fence is taken too: many models cannot help it. */
export function structuredAnswer<Output extends { readonly summary: string }>(
  name: string,
  schema: z.ZodType<Output>,
): Answer<Output> {
  return {
    name,
    schema,
    read(text) {
      const json = /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
      let value: unknown;
      try {
        value = JSON.parse(json);
      } catch (error) {
        return { ok: false, fault: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` };
      }
      const parsed = schema.safeParse(value);
      return parsed.success ? { ok: true, output: parsed.data } : { ok: false, fault: z.prettifyError(parsed.error) };
    },
    shown: (output) => output.summary,
  };
}
