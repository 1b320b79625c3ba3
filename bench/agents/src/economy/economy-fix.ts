/** A replacement in a file. The text stands there exactly once. */
interface Edit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** A fix that both agents carry out with the same edits, and what each looks at on the way. */
export interface EconomyFix {
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** The criteria that a planner makes of the body: statements that can be checked. */
  readonly criteria: readonly string[];
  readonly edits: readonly Edit[];
  /** A name that is replaced as a whole word in all files, besides the edits. */
  readonly rename: { readonly from: string; readonly to: string } | null;
  /** The files that change. */
  readonly files: readonly string[];
  /** What a reader of the code opens besides the files that change. */
  readonly reads: readonly string[];
  /** The word that is searched for. */
  readonly search: string;
  /** A script that shows the problem: a module of JavaScript. */
  readonly reproduction: string;
  readonly steps: readonly { readonly title: string; readonly detail: string; readonly files: readonly string[] }[];
}
