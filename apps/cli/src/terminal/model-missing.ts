import { ownCommand } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';

/**
 * Ends the command because writing code needs a model and none is configured here.
 *
 * @param misses what nearly is an edit in the issue, in sentences
 */
export function modelMissingHere(misses: readonly string[] = []): CommandError {
  const set = `${ownCommand()} config set`;
  const lines = [
    'This issue needs a model, and none is configured. Set one up in one of these ways:',
    'Anthropic:',
    `  ${set} ANTHROPIC_API_KEY`,
    `  ${set} MODEL anthropic/claude-sonnet-4-5`,
    'OpenAI:',
    `  ${set} OPENAI_API_KEY`,
    `  ${set} MODEL openai/gpt-5`,
    'A server on this machine, such as Ollama:',
    `  ${set} MODEL_BASE_URL http://127.0.0.1:11434/v1`,
    `  ${set} MODEL compatible/qwen3:32b`,
    'Or spell the edit out in the issue, as a diff block for example: docs/models.md has the forms.',
    ...misses.map((miss) => `  ${miss}`),
  ];
  return new CommandError(exitCode.modelMissing, lines.join('\n'));
}

/** The same for a server, where only its operator can set one up. */
export function modelMissingThere(misses: readonly string[] = []): CommandError {
  const lines = [
    'This issue needs a model, and none is configured on the server. Its operator can set one up: MODEL and a key for it, ANTHROPIC_API_KEY',
    'or OPENAI_API_KEY, or the address of a local server, MODEL_BASE_URL. Or spell the edit out in the issue, as a diff block for example.',
    ...misses,
  ];
  return new CommandError(exitCode.modelMissing, lines.join(' '));
}
