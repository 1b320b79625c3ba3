/** The suites around a test, outermost first, and the test itself. */
export type TestChain = readonly string[];

/**
 * How deep a test may lie for all suites around it to be in its name; people nest less. Each failure is named with all of
 * them, so without a limit the names of an output could be as long as the square of its length.
 */
export const MAX_DEPTH = 32;

/** One test or suite among all failures of a report. */
export interface ChainNode<Note> {
  readonly inside: Map<string, ChainNode<Note>>;
  /** What the reader noted of the failures inside it. */
  note: Note | null;
}

/**
 * The nodes from the outermost suite to the test itself, made where they are missing. A tree, because a failure then costs
 * as many steps as its line has levels of indentation; keys made of whole chains cost their length besides.
 */
export function nodesOf<Note>(root: ChainNode<Note>, chain: TestChain): ChainNode<Note>[] {
  let node = root;
  return chain.map((name) => {
    const inner = node.inside.get(name) ?? emptyNode<Note>();
    node.inside.set(name, inner);
    node = inner;
    return inner;
  });
}

export function emptyNode<Note>(): ChainNode<Note> {
  return { inside: new Map(), note: null };
}
