/** A variable of the configuration that is set. */
export interface SetVariable {
  readonly name: string;
  /** Null: a secret. */
  readonly value: string | null;
  readonly source: 'user file' | '.env' | 'env file' | 'environment' | 'flag';
  /** The file that sets it. */
  readonly path: string | null;
}
