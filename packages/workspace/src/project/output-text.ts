import { withoutControlSequences } from '@sluice/core/control-sequences';
import { cutName } from './cut-name.ts';

const MAX_LINE_LENGTH = 2_000; // names stand at its beginning
const MAX_OUTPUT_LENGTH = 8 * 1_024 * 1_024;

/** The output of a command as the readers take it: without colours, as text and as lines. */
export interface OutputText {
  readonly text: string;
  readonly lines: readonly string[];
}

/** Prepares an output for the readers. It may have been made to be slow to read: the time is linear in its length. */
export function outputText(output: string): OutputText {
  const text = withoutControlSequences(output.slice(-MAX_OUTPUT_LENGTH))
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2028\u2029]/g, ' '); // `.` does not match them, and patterns that could not fail begin to backtrack
  return { text, lines: text.split('\n').map((line) => cutName(line, MAX_LINE_LENGTH)) };
}
