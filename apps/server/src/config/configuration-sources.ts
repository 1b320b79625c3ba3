import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './parse-config.ts';
import type { SourceKind } from './set-variables.ts';
import { userFilePath } from './user-file.ts';
import { type VariableName, variables } from './variables.ts';

/** One place where variables are set. */
export interface ConfigurationSource {
  readonly kind: SourceKind;
  /** The file; null for the environment and for flags. */
  readonly path: string | null;
  /** Only variables of Sluice. An empty value means: not set, whatever a source of lower precedence says. */
  readonly values: Readonly<Partial<Record<VariableName, string>>>;
  /** Names in a file that are no variables of Sluice. */
  readonly unknown: readonly string[];
  /** The numbers of the lines in a file that are neither a comment nor `NAME=value`, from 1. */
  readonly faultyLines: readonly number[];
}

export interface SourceOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The current folder, where `.env` is looked for. */
  readonly folder: string;
  /** The values of a command's flags. */
  readonly flags: Readonly<Record<string, string>>;
  /** A file that the user named, as an absolute path or relative to the current folder. */
  readonly envFile: string | null;
  /** Whether `.env` is looked for at all. */
  readonly dotEnv: boolean;
}

/** The sources in their order of precedence, the lowest first. */
export interface ConfigurationSources {
  readonly sources: readonly ConfigurationSource[];
  /** The `.env` that is not read because it belongs to somebody's repository, if it sets a variable of Sluice. */
  readonly ignored: IgnoredDotEnv | null;
}

interface IgnoredDotEnv {
  readonly path: string;
  /** The root of the repository. */
  readonly repository: string;
  readonly names: readonly VariableName[];
}

const nothingElse = { unknown: [], faultyLines: [] };

/**
 * Reads every source of the configuration. Creates nothing.
 *
 * @throws ConfigError when a file cannot be read, or the named one does not exist
 */
export function configurationSources(options: SourceOptions): ConfigurationSources {
  const { environment, flags, envFile } = options;
  const userFile = userFilePath(environment);
  const { dotEnv, ignored } = options.dotEnv ? dotEnvOf(options.folder) : { dotEnv: null, ignored: null };
  const sources = [
    userFile === null ? null : fileSource('user file', userFile),
    dotEnv,
    envFile === null ? null : namedFile(envFile),
    { kind: 'environment' as const, path: null, values: known(environment), ...nothingElse },
    { kind: 'flag' as const, path: null, values: known(flags), ...nothingElse },
  ];
  return { sources: sources.filter((source) => source !== null), ignored };
}

function dotEnvOf(folder: string): { dotEnv: ConfigurationSource | null; ignored: IgnoredDotEnv | null } {
  const path = join(folder, '.env');
  const repository = foreignRepository(folder);
  if (repository === null) return { dotEnv: fileSource('.env', path), ignored: null };
  const names = foreignNames(path);
  return { dotEnv: null, ignored: names.length === 0 ? null : { path, repository, names } };
}

/** The variables of a foreign `.env`. It is not ours, so it may be of any form, or unreadable. */
function foreignNames(path: string): VariableName[] {
  try {
    return Object.keys(known(parseEnv(readFileSync(path, 'utf8')))) as VariableName[];
  } catch {
    return [];
  }
}

function namedFile(path: string): ConfigurationSource {
  const source = fileSource('env file', path);
  if (source !== null) return source;
  throw new ConfigError([`${path}: there is no such file; --env-file must name a file with NAME=value lines`]);
}

/** @returns null when there is no such file */
function fileSource(kind: SourceKind, path: string): ConfigurationSource | null {
  const text = readIfThere(path);
  if (text === null) return null;
  const values = parseEnv(text);
  const unknown = Object.keys(values).filter((name) => !isVariable(name));
  return { kind, path, values: known(values), unknown, faultyLines: faultyLines(text) };
}

const MARK = 'sluice-line-';

/**
 * Node's parser passes over what it does not understand, without a word. So each line that sets nothing by itself gets a
 * variable before it: the parser finds that one, unless the line belongs to a quoted value.
 */
function faultyLines(text: string): number[] {
  const marked = text.split('\n').map((line, at) => (setsNothing(line) ? `${MARK}${at + 1}=\n${line}` : line));
  const marks = Object.keys(parseEnv(marked.join('\n'))).filter((name) => name.startsWith(MARK));
  return marks.map((name) => Number(name.slice(MARK.length))).sort((a, b) => a - b);
}

function setsNothing(line: string): boolean {
  const isEmpty = line.trim() === '' || line.trimStart().startsWith('#');
  return !isEmpty && Object.keys(parseEnv(line)).length === 0;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || (code === 'EACCES' && !isSeen(path))) return null;
    throw new ConfigError([`${path}: cannot be read (${code}); make it readable for this user, or remove it`]);
  }
}

/** A service may not search the home of its user (systemd's ProtectHome): then there is no file for it. */
function isSeen(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function known(values: Readonly<Record<string, string | undefined>>): Partial<Record<VariableName, string>> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== undefined && isVariable(name)));
}

function isVariable(name: string): name is VariableName {
  return Object.hasOwn(variables, name);
}

/**
 * The root of the git repository that holds `folder`, unless it is the checkout of Sluice that `program` runs from; null in
 * no repository. Files of a repository are somebody's data: they must not configure Sluice (`SANDBOX=none`).
 */
export function foreignRepository(folder: string, program = process.argv[1]): string | null {
  const root = repositoryRoot(realpathSync(folder));
  return root === null || (program !== undefined && isProgramOf(root, realpathSync(program))) ? null : root;
}

function repositoryRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}

/** Whether the program belongs to the repository itself, and not to one of its dependencies. */
function isProgramOf(root: string, program: string): boolean {
  const path = relative(root, program).split(sep);
  return path[0] !== '..' && !path.includes('node_modules');
}
