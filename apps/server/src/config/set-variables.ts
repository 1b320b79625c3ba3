import type { Variable } from './variable.ts';
import { type VariableName, variables } from './variables.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Where a variable can be set. */
export type SourceKind = 'user file' | '.env' | 'env file' | 'environment' | 'flag';

/** A variable that is set, and where. */
export interface SetVariable {
  readonly name: VariableName;
  /** Null: a secret. */
  readonly value: string | null;
  readonly source: SourceKind;
  /** The file that sets it. */
  readonly path: string | null;
}

interface Source {
  readonly kind: SourceKind;
  readonly path: string | null;
  readonly values: Readonly<Record<string, string | undefined>>;
}

/**
 * The variables that are set, in the order of docs/configuration.md. No value of a secret leaves this function.
 *
 * @param sources the lowest precedence first
 */
export function setVariables(sources: readonly Source[]): readonly SetVariable[] {
  return (Object.keys(variables) as VariableName[]).flatMap((name): SetVariable[] => {
    const source = sources.findLast(({ values }) => values[name] !== undefined);
    const value = source?.values[name]?.trim() ?? '';
    if (source === undefined || value === '') return [];
    const { secret }: Variable = variables[name];
    return [
      { name, value: secret === true ? null : withoutCredentials(value), source: source.kind, path: source.path },
    ];
  });
}
