import type { TextStreamPart, ToolSet } from 'ai';
import type { ModelChoice } from './model-choice.ts';

/** The characters of thoughts in a second: large models write some 50 to 100 tokens in it, of about four characters. */
const THOUGHT_CHARACTERS_PER_SECOND = 250;

/** What a model has written of an answer. */
export interface Written {
  partArrived(part: TextStreamPart<ToolSet>): void;
  /** The characters until now, thoughts included. */
  characters(): number;
}

/**
 * Counts what a model writes. Thoughts that do not come back in full are estimated by their time, because vendors bill them
 * all: of a minute of thoughts, nothing or a short summary may have arrived.
 */
export function startWritten({ thinking }: Pick<ModelChoice, 'thinking'>, now = () => performance.now()): Written {
  let text = 0;
  let thoughts = 0;
  let thoughtMs = 0;
  let since: number | null = null;
  const stop = () => {
    if (since !== null) thoughtMs += now() - since;
    since = null;
  };
  return {
    partArrived(part) {
      if (part.type === 'reasoning-start' && thinking?.isHidden) since ??= now();
      else if (part.type === 'reasoning-delta') thoughts += part.text.length;
      else if (part.type === 'text-delta') text += part.text.length;
      else if (part.type === 'tool-input-delta') text += part.delta.length;
      if (part.type === 'reasoning-end' || part.type === 'text-start' || part.type === 'tool-input-start') stop();
    },
    characters() {
      stop();
      return text + Math.max(thoughts, Math.ceil((thoughtMs / 1_000) * THOUGHT_CHARACTERS_PER_SECOND));
    },
  };
}
