import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { GivenConfiguration } from '../local/local-server.ts';
import { callerFolder } from '../terminal/environment.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** The flags that set the configuration for one command. */
export interface ConfigurationOptions {
  readonly envFile?: string;
  readonly model?: string;
  readonly modelUrl?: string;
  readonly sandbox?: string;
}

/** Adds the flags of every command that runs issues in its own process. */
export function withConfiguration(command: Command): Command {
  return withEnvFile(command)
    .option('--model <name>', 'model, e.g. anthropic/NAME, openai/NAME or compatible/NAME (MODEL)')
    .option('--model-url <url>', 'server of compatible/… models (MODEL_BASE_URL)')
    .option('--sandbox <kind>', 'bwrap, or none to run commands without a sandbox (SANDBOX)');
}

export function withEnvFile(command: Command): Command {
  return command.option('--env-file <file>', 'read variables from this file of NAME=value lines');
}

/** The flags as the loader of the configuration takes them. */
export function configurationOf(options: ConfigurationOptions): GivenConfiguration {
  const flags = { MODEL: options.model, MODEL_BASE_URL: options.modelUrl, SANDBOX: options.sandbox };
  const overrides: Record<string, string> = {};
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) overrides[name] = value;
  if (options.envFile === undefined) return { overrides };
  return { overrides, envFile: resolve(callerFolder(), options.envFile) };
}

/** The flags as a shell repeats them, with a space before each, for commands that are printed as advice. */
export function configurationFlags(options: ConfigurationOptions): string {
  const flags = {
    '--env-file': options.envFile,
    '--model': options.model,
    '--model-url': options.modelUrl,
    '--sandbox': options.sandbox,
  };
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([flag, value]) => ` ${flag} ${shellWord(value ?? '')}`)
    .join('');
}
