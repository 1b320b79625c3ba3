/** A tool call of the built-in model. Its id follows from its purpose, so that the same prompt makes the same call. */
export interface ModelCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The built-in model's answer: text, and calls when it is not done yet. */
export interface ModelMove {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** An answer that ends the work. */
export function finalAnswer(text: string): ModelMove {
  return { text, calls: [] };
}
