import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, ConfigError, parseConfig } from './parse-config.ts';

export interface LoadConfigOptions {
  /** Take precedence over the environment, e.g. a command's options. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Whether `.env` in the current folder is read too; false if the folder belongs to another project. */
  readonly dotEnv?: boolean;
}

/**
 * Reads the configuration from the process's environment and, for variables not set there, from `.env` in the current
 * folder. The only place that reads `process.env`.
 *
 * @throws ConfigError with every problem at once
 */
export function loadConfig({ overrides = {}, dotEnv = true }: LoadConfigOptions = {}): Config {
  return parseConfig({ ...(dotEnv ? readDotEnv() : {}), ...process.env, ...overrides });
}

function readDotEnv(): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ConfigError([`.env: cannot be read (${code}); make it readable for this user, or remove it`]);
  }
}
