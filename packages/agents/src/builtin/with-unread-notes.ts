import * as z from 'zod';
import { finalAnswer, type ModelMove } from './model-move.ts';
import type { Transcript } from './read-prompt.ts';

const UNREAD = 'Notes sent meanwhile were not followed (built-in, no model): give them as guidance to a plan.';

const structured = z.looseObject({ summary: z.string() });

/** Adds to the final answer that the notes to the agent were not read. */
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
