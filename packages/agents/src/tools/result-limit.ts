import type { ToolContext } from './agent-tool.ts';

const MAX_CHARACTERS = 20_000; // about 5,000 tokens: more of one thing is read in parts
const ROOM_SHARE = 0.15; // of the model's whole request: six results and the request itself still fit
const MIN_CHARACTERS = 2_000; // less of a file or an output tells nothing

/** How long a result of a tool may be, in characters. */
export function resultLimit({ room }: Pick<ToolContext, 'room'>): number {
  return Math.max(MIN_CHARACTERS, Math.min(MAX_CHARACTERS, Math.floor(room * ROOM_SHARE)));
}
