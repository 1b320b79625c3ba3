import { type Style, styleFor } from './view/style.ts';

/** Where a command speaks: data to stdout (as JSON on request), talk to stderr. */
export interface Output {
  readonly json: boolean;
  readonly talkStyle: Style;
  talk(line: string): void;
  /** The command's result: the wire object with `--json`, else its rendering. */
  data(value: unknown, render: (style: Style) => string): void;
}

export function createOutput(options: { json: boolean }): Output {
  const dataStyle = styleFor(process.stdout);
  return {
    json: options.json,
    talkStyle: styleFor(process.stderr),
    talk: (line) => void process.stderr.write(`${line}\n`),
    data: (value, render) => void process.stdout.write(`${options.json ? JSON.stringify(value) : render(dataStyle)}\n`),
  };
}
