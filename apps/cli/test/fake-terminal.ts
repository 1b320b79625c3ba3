/** What a terminal shows after what was written to it: lines, carriage returns, cursor up, and erasing to the end. */
export interface FakeTerminal {
  columns: number;
  readonly rows: number;
  readonly writes: number;
  /** The lines so far, without the spaces behind them. */
  readonly screen: readonly string[];
  write(text: string): void;
}

const PARTS = /\x1b\[J|\x1b\[\d+A|\r|\n|(?:\x1b\[[\d;]*m|[^\x1b\r\n])+/g;

/** Colours count as text here: nothing that the command writes returns to the middle of a line. */
export function fakeTerminal(columns: number, rows = 24): FakeTerminal {
  const screen: string[] = [''];
  let line = 0;
  let column = 0;
  let writes = 0;
  const put = (part: string) => {
    if (part === '\r') column = 0;
    else if (part === '\n') {
      line += 1;
      column = 0;
      screen[line] ??= '';
    } else if (part === '\x1b[J') {
      screen[line] = (screen[line] ?? '').slice(0, column);
      screen.length = line + 1;
    } else if (/^\x1b\[\d+A$/.test(part)) line -= Number.parseInt(part.slice(2), 10);
    else {
      const before = (screen[line] ?? '').padEnd(column);
      screen[line] = before.slice(0, column) + part + before.slice(column + part.length);
      column += part.length;
    }
  };
  return {
    columns,
    rows,
    get writes() {
      return writes;
    },
    get screen() {
      return screen.map((text) => text.trimEnd());
    },
    write(text) {
      writes += 1;
      for (const [part] of text.matchAll(PARTS)) put(part);
    },
  };
}
