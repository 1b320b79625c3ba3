import { type ConfigurationSource, type ConfigurationSources, configurationSources } from './configuration-sources.ts';
import { type Config, ConfigError, parseConfig } from './parse-config.ts';
import { setVariables } from './set-variables.ts';
import { userFilePath } from './user-file.ts';

export interface LoadConfigOptions {
  /** Take precedence over everything else: the values of a command's flags. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** A file of `NAME=value` lines that the user named. */
  readonly envFile?: string;
  /** Whether `.env` in the current folder is read too. Even then that of somebody's repository is not. */
  readonly dotEnv?: boolean;
}

/**
 * Reads the configuration from, lowest precedence first: the user's file (`~/.config/sluice/config`), `.env` in the current
 * folder, the named file, the environment and the overrides. The only place that reads `process.env`.
 *
 * @throws ConfigError with every problem at once
 */
export function loadConfig(options: LoadConfigOptions = {}): Config {
  const { sources } = loadSources(options);
  const values = Object.assign({}, ...sources.map(({ values }) => values)) as Record<string, string | undefined>;
  try {
    return { ...parseConfig({ ...values, PATH: process.env.PATH }), set: setVariables(sources) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.problems.map((problem) => withFile(problem, sources)));
  }
}

/** The sources that `loadConfig` reads, lowest precedence first. @throws ConfigError when a file cannot be read */
export function loadSources({ overrides = {}, envFile, dotEnv = true }: LoadConfigOptions = {}): ConfigurationSources {
  return configurationSources({
    environment: process.env,
    folder: process.cwd(),
    flags: overrides,
    envFile: envFile ?? null,
    dotEnv,
  });
}

/** The path of the user's own file, whether it is there or not; null for a user without a home. */
export function userFile(): string | null {
  return userFilePath(process.env);
}

/** One sentence when a `.env` that sets variables of Sluice is not read; null otherwise. */
export function ignoredDotEnvNote(options: LoadConfigOptions = {}): string | null {
  const { ignored } = loadSources(options);
  if (ignored === null || options.envFile !== undefined) return null;
  const { path, repository, names } = ignored;
  return `${path} is not read, because it belongs to the repository ${repository}; it sets ${names.join(', ')}. To use it: --env-file ${path}`;
}

/** Names the file that set the variable of a problem: the environment is where people look first. */
function withFile(problem: string, sources: readonly ConfigurationSource[]): string {
  const name = problem.slice(0, problem.indexOf(':'));
  const source = sources.findLast(({ values }) => Object.hasOwn(values, name));
  return source === undefined || source.path === null ? problem : `${problem} (set in ${source.path})`;
}

/** How the command is called where this process was started: by npm in a checkout, or installed. */
export function commandName(): string {
  return process.env.npm_package_name === 'sluice' ? 'npm run sluice --' : 'sluice';
}
