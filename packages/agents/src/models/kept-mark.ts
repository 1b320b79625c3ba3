import type { AssistantModelMessage } from 'ai';

/** Our own name among the options of providers: what we note on a message or on a call. */
export const KEPT = 'sluice';

/** What is noted of the raw form of a message or a call, so that its maker can be given the same back. */
export interface KeptMark {
  /** The members in which the text of the thoughts came. */
  readonly thoughts?: string[];
  /** Further members, as the JSON text of an object. */
  readonly kept?: string;
}

/** The note among the options of a message or a call; null where there is none, or none that we wrote. */
export function keptMarkOf(options: AssistantModelMessage['providerOptions']): KeptMark | null {
  const { thoughts, kept } = options?.[KEPT] ?? {};
  const isList = Array.isArray(thoughts) && thoughts.every((field) => typeof field === 'string');
  if (!isList && typeof kept !== 'string') return null;
  return { ...(isList && { thoughts }), ...(typeof kept === 'string' && { kept }) };
}
