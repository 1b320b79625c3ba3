import { canRedraw } from './environment.ts';
import type { JsonFilter } from './json-filter.ts';
import { createLiveArea, type LiveArea } from './live-area.ts';
import { openPagedText } from './paged-text.ts';
import { plainText } from './plain-text.ts';
import { type Style, styleFor } from './style.ts';

/** The options of every command that can print JSON. */
export interface OutputOptions {
  readonly json?: boolean | undefined;
  /** The compiled expression of `--jq`, which implies `--json`. */
  readonly jq?: JsonFilter | undefined;
}

/** What a rendering of data is for. */
export interface Page {
  /** The width of the terminal on stdout; infinite without a terminal. */
  readonly width: number;
  /** Whether a person reads it: columns get headers and relative times. Without a terminal a program does. */
  readonly isTerminal: boolean;
}

/** Where a command writes: data to stdout (as JSON on request), messages to stderr. */
export interface Output {
  readonly json: boolean;
  /** Colours for stderr. */
  readonly messageStyle: Style;
  /** The width of the terminal on stderr; infinite without a terminal. */
  readonly messageWidth: number;
  /** Lines below the messages that are redrawn while something runs; null where that is not possible. */
  readonly live: LiveArea | null;
  message(line: string): void;
  /** The command's result: the wire object with `--json`, what `--jq` makes of it, else its rendering. */
  data(value: unknown, render: (style: Style, page: Page) => string): void;
  /** The same for what may be long: at a terminal, a pager shows it. */
  longData(value: unknown, render: (style: Style, page: Page) => string): Promise<void>;
}

export function createOutput({ json = false, jq }: OutputOptions): Output {
  const { stdout, stderr } = process;
  const dataStyle = styleFor(stdout);
  const live = canRedraw(stderr) ? createLiveArea(stderr) : null;
  const page = () => ({ width: widthOf(stdout), isTerminal: stdout.isTTY === true });
  const output: Output = {
    json: json || jq !== undefined,
    messageStyle: styleFor(stderr),
    get messageWidth() {
      return widthOf(stderr); // read each time: the user may resize the terminal
    },
    live,
    message(line) {
      if (live === null) stderr.write(`${line}\n`);
      else live.print(line);
    },
    data(value, render) {
      live?.clear();
      if (jq !== undefined) printFiltered(jq(value));
      else if (json) stdout.write(`${safeJson(value)}\n`);
      else {
        const text = render(dataStyle, page());
        if (text !== '') stdout.write(`${text}\n`); // an empty list is no line for a program
      }
    },
    async longData(value, render) {
      if (output.json || stdout.isTTY !== true) {
        output.data(value, render);
        return;
      }
      const paged = openPagedText();
      await paged.write(`${render(dataStyle, page())}\n`);
      await paged.end();
    },
  };
  return output;
}

/** A program gets the strings byte for byte; on a terminal, control characters must not take effect. */
function printFiltered(lines: string): void {
  if (lines !== '') process.stdout.write(`${process.stdout.isTTY === true ? plainText(lines) : lines}\n`);
}

function widthOf(stream: { readonly columns?: number }): number {
  return stream.columns || Number.POSITIVE_INFINITY; // 0 on a terminal of unknown width
}

// JSON escapes C0 controls itself. It leaves these, and a terminal acts on some of them.
const INVISIBLE = /[\x7f-\x9f\u2028\u2029]|\p{Cf}/gu;

/** JSON in which no character can act on a terminal. It parses to the same value. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
