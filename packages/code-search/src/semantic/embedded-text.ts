// Two tokens a character, the worst that is seen, stay below the 8,191 of the common embedding models. Most pieces of
// code are shorter than this; of the others the beginning tells what they are about.
export const MAX_CHARACTERS = 4_000;
/** The characters for models that take 512 tokens and refuse longer texts: some 350 tokens of code. */
export const SHORT_CHARS = 1_000;

/** The part of a text that an embedding model gets; null where nothing in it could mean anything. */
export function embeddedText(text: string, longest = MAX_CHARACTERS): string | null {
  // A pair of surrogates that is cut through is no text for a provider.
  const cut = text.slice(0, longest).toWellFormed();
  return cut.trim() === '' ? null : cut;
}
