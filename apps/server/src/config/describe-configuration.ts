import { type LoadConfigOptions, loadConfig, loadSources, userFile } from './load-config.ts';
import { ConfigError } from './parse-config.ts';
import { type SetVariable, type SourceKind, setVariables } from './set-variables.ts';

export interface ConfigurationReport {
  /** The places that are read, the highest precedence first. */
  readonly precedence: readonly { readonly source: SourceKind | 'default'; readonly path: string | null }[];
  /** The variables that are set, in the order of docs/configuration.md. */
  readonly variables: readonly SetVariable[];
  /** Why a server would not start with them. */
  readonly problems: readonly string[];
  /** The settings without effect: unknown names and faulty lines in files, and a `.env` that is not read. */
  readonly notes: readonly string[];
}

/** What the configuration is, and where each variable is set. Creates nothing. */
export function describeConfiguration(options: LoadConfigOptions = {}): ConfigurationReport {
  const { sources, ignored } = loadSources(options);
  const pathOf = (kind: SourceKind) => sources.find((source) => source.kind === kind)?.path ?? null;
  return {
    precedence: [
      { source: 'flag', path: null },
      { source: 'environment', path: null },
      ...(options.envFile === undefined ? [] : [{ source: 'env file' as const, path: options.envFile }]),
      ...(pathOf('.env') === null ? [] : [{ source: '.env' as const, path: pathOf('.env') }]),
      { source: 'user file', path: userFile() },
      { source: 'default', path: null },
    ],
    variables: setVariables(sources),
    problems: problemsOf(options),
    notes: [
      ...sources.flatMap(({ path, unknown }) =>
        path === null || unknown.length === 0
          ? []
          : [`${path} sets ${unknown.join(', ')}, which Sluice does not know.`],
      ),
      ...sources.flatMap(({ path, faultyLines }) => (faultyLines.length === 0 ? [] : [noEffect(path, faultyLines)])),
      ...(ignored === null
        ? []
        : [
            `${ignored.path} is not read, because it belongs to the repository ${ignored.repository}; it sets ${ignored.names.join(', ')}.`,
          ]),
    ],
  };
}

const MAX_LINES = 5; // more of them belong to a file of another kind

function noEffect(path: string | null, lines: readonly number[]): string {
  if (lines.length === 1) return `Line ${lines[0]} of ${path} is not NAME=value, and has no effect.`;
  const rest = lines.length > MAX_LINES ? ` and ${lines.length - MAX_LINES} more` : '';
  return `Lines ${lines.slice(0, MAX_LINES).join(', ')}${rest} of ${path} are not NAME=value, and have no effect.`;
}

function problemsOf(options: LoadConfigOptions): readonly string[] {
  try {
    loadConfig(options);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
