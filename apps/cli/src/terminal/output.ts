import { type Style, styleFor } from './style.ts';

/** Where a command writes: data to stdout (as JSON on request), messages to stderr. */
export interface Output {
  readonly json: boolean;
  /** Colours for stderr. */
  readonly messageStyle: Style;
  /** The width of the terminal on stderr; infinite without a terminal. */
  readonly messageWidth: number;
  message(line: string): void;
  /** The command's result: the wire object with `--json`, else its rendering. */
  data(value: unknown, render: (style: Style) => string): void;
}

export function createOutput(options: { json: boolean }): Output {
  const dataStyle = styleFor(process.stdout);
  return {
    json: options.json,
    messageStyle: styleFor(process.stderr),
    messageWidth: process.stderr.columns || Number.POSITIVE_INFINITY, // 0 on a terminal of unknown width
    message: (line) => void process.stderr.write(`${line}\n`),
    data: (value, render) => void process.stdout.write(`${options.json ? safeJson(value) : render(dataStyle)}\n`),
  };
}

// JSON escapes C0 controls itself. It leaves these, and a terminal acts on some of them.
const INVISIBLE = /[\x7f-\x9f\u2028\u2029]|\p{Cf}/gu;

/** JSON in which no character can act on a terminal. It parses to the same value. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
