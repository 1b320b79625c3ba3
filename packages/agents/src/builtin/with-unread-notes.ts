import * as z from 'zod';
import { finalAnswer, type ModelMove } from './model-move.ts';
import type { Transcript } from './read-prompt.ts';

const UNREAD = 'What was written meanwhile was not followed (built-in, no model): say it as guidance to a plan.';

const structured = z.looseObject({ summary: z.string() });

/** Says with the answer that ends the work that nobody has read what people wrote to the agent. */
export function withUnreadNotes(move: ModelMove, { notes }: Pick<Transcript, 'notes'>): ModelMove {
  if (notes.length === 0 || move.calls.length > 0) return move;
  const answer = structuredIn(move.text);
  if (answer === null) return finalAnswer(`${move.text}\n${UNREAD}`);
  return finalAnswer(JSON.stringify({ ...answer, summary: `${answer.summary} ${UNREAD}` }));
}

function structuredIn(text: string): z.infer<typeof structured> | null {
  try {
    return structured.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
