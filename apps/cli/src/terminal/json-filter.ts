import { CommandError, exitCode } from './exit-code.ts';

/** Turns a value into the lines that a jq expression makes of it: strings as they are, everything else as JSON. */
export type JsonFilter = (value: unknown) => string;

/**
 * Compiles a jq expression. It is jq itself, as WebAssembly: without access to files or to the environment.
 *
 * @throws CommandError when the expression does not compile; the filter throws one when it does not fit the value
 */
export async function jsonFilter(expression: string): Promise<JsonFilter> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // `empty` compiles the expression without running it, so that a typo is reported before anything is sent.
  const compiled = jq.raw(null, `empty | (\n${expression}\n)`);
  if (compiled.exitCode !== 0) throw refusal(expression, compiled.stderr);
  return (value) => {
    const { stdout, stderr, exitCode: code } = jq.raw(JSON.stringify(value), expression, ['-r', '-c']);
    if (code !== 0) throw refusal(expression, stderr);
    return stdout;
  };
}

function refusal(expression: string, stderr: string): CommandError {
  const [first = ''] = stderr.split('\n');
  const reason = first.replace(/^jq: error:? ?(\(at .*?\):? ?)?/, '').replace(/ at <top-level>.*$/, '');
  return new CommandError(exitCode.usage, `--jq ${JSON.stringify(expression)}: ${reason}.`);
}
