import { type Style, styleFor } from './view/style.ts';

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
    data: (value, render) => void process.stdout.write(`${options.json ? JSON.stringify(value) : render(dataStyle)}\n`),
  };
}
