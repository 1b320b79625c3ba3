import { type Style, styleFor } from './style.ts';

/** Where a command speaks: data to stdout (as JSON on request), talk to stderr. */
export interface Output {
  readonly json: boolean;
  readonly talkStyle: Style;
  /** How many characters a line of talk may have; without end where there is no terminal. */
  readonly talkWidth: number;
  talk(line: string): void;
  /** The command's result: the wire object with `--json`, else its rendering. */
  data(value: unknown, render: (style: Style) => string): void;
}

export function createOutput(options: { json: boolean }): Output {
  const dataStyle = styleFor(process.stdout);
  return {
    json: options.json,
    talkStyle: styleFor(process.stderr),
    talkWidth: process.stderr.columns || Number.POSITIVE_INFINITY, // 0 on a terminal that does not say
    talk: (line) => void process.stderr.write(`${line}\n`),
    data: (value, render) => void process.stdout.write(`${options.json ? safeJson(value) : render(dataStyle)}\n`),
  };
}

// JSON escapes the old controls by itself; these it leaves, and a terminal obeys some of them.
const UNSEEN = /[\x7f-\x9f\u2028\u2029]|\p{Cf}/gu;

/** JSON in which nothing can act on a terminal. A program reads the same from it. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
