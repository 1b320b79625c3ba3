/** The models of a stage. */
interface StageModels {
  /** The model, followed by its fallbacks. */
  readonly names: readonly string[];
  /** Whether no model is set: only edits that an issue spells out are made. */
  readonly builtin: boolean;
}

/** What the composition knows of its server, and users may know. */
export interface ServerFacts {
  /** The commit that runs; null where the build did not know it. */
  readonly commit: string | null;
  readonly models: Readonly<Record<'triage' | 'plan' | 'implement' | 'review', StageModels>>;
  readonly embeddingModel: string | null;
  readonly sandbox: 'bwrap' | 'none';
  /** The code host's address in the web; null without one. */
  readonly codehostUrl: string | null;
  /** Milliseconds after which an undecided gate ends; null: never. */
  readonly gateTimeoutMs: number | null;
}
