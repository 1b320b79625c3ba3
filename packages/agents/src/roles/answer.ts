import type * as z from 'zod';
import { fitted } from './fitted.ts';
import { jsonObjectsIn } from './json-objects.ts';

/** An answer as it was understood. */
export type ReadAnswer<Output> =
  | { readonly ok: true; readonly output: Output }
  | {
      readonly ok: false;
      /** The fault, as a sentence for people. */
      readonly problem: string;
      /** The fault and its correction, as sentences for the model. */
      readonly fault: string;
      /** The output of the same answer when it is given again after a request for a better one; absent: none. */
      readonly otherwise?: Output;
    };

/** The tool by which an agent ends. It has no effect: its input is the answer. */
interface AnswerTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** Leaves the input as it is: `readCall` corrects it. */
  canonical(input: unknown): unknown;
}

/** How a role's last message becomes its output. */
export interface Answer<Output> {
  /** Name of the structured answer; null when the answer has no shape. */
  readonly name: string | null;
  readonly schema: z.ZodType<Output>;
  /** The tool by which it is given; null for a role without tools, which is asked for a structured answer in text. */
  readonly tool: AnswerTool | null;
  /** Reads the input of the tool. */
  readCall(input: unknown): ReadAnswer<Output>;
  /** Reads an answer in text, from a model that called no tool. */
  read(text: string): ReadAnswer<Output>;
  /** The answer as people see it in the events. */
  render(output: Output): string;
}

interface Structured<Output> {
  readonly name: string;
  readonly schema: z.ZodType<Output>;
  readonly tool?: Pick<AnswerTool, 'name' | 'description'>;
  /**
   * Whether an answer must be the last thing in a text. A text may quote JSON from a file that poses as the answer and
   * then go on; an answer that no person reads before it counts may not be taken from the middle of one. Default: no.
   */
  mustEndText?(output: Output): boolean;
  /** Adds to what was given members that need no saying in this case. */
  complete?(given: Readonly<Record<string, unknown>>): object;
}

/**
 * An answer that fits a schema: the input of a tool, or JSON in a text. Many models write JSON in a Markdown fence,
 * between words, or inside another object (`{"plan": {…}}`), so of the objects in a text the last one that fits counts.
 */
export function structuredAnswer<Output extends { readonly summary: string }>({
  name,
  schema,
  tool,
  mustEndText = () => false,
  complete = (given) => given,
}: Structured<Output>): Answer<Output> {
  const how = tool === undefined ? 'Answer with one JSON object, and write nothing else' : `Call the tool ${tool.name}`;
  const readCall = (input: unknown): ReadAnswer<Output> => {
    const fit = fitted(schema, isObject(input) ? complete(input) : input, name);
    if (fit.ok) return fit;
    const problem = `The answer does not fit: ${fit.fault}.`;
    return { ok: false, problem, fault: problem };
  };
  return {
    name,
    schema,
    tool: tool === undefined ? null : { ...tool, input: schema, canonical: (input) => input },
    readCall,
    read(text) {
      const objects = jsonObjectsIn(text);
      const last = objects.at(-1);
      if (last === undefined) return { ok: false, problem: NO_JSON, fault: `${NO_JSON} ${how}.` };
      for (const { value, isFirst, isLast } of objects.toReversed()) {
        const fit = readCall(value);
        if (!fit.ok) continue;
        if (!mustEndText(fit.output)) return fit;
        if (!isLast)
          return {
            ok: false,
            problem: 'Words follow the JSON, so it may be a quotation.',
            fault: `Words follow the JSON, so it may be a quotation. ${how}: write nothing after it.`,
          };
        if (isFirst) return fit;
        const fault = `Words stand before the JSON, so it may be a quotation. ${how}, without words before it.`;
        return { ok: false, problem: fault, fault, otherwise: fit.output };
      }
      const read = readCall(last.value);
      return read.ok ? read : { ...read, fault: `${read.fault}\n${how}.` };
    },
    render: (output) => output.summary,
  };
}

const NO_JSON = 'It holds no JSON object.';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
