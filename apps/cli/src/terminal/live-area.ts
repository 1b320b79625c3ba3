/** The part of a terminal stream that is needed to redraw lines. */
export interface TerminalStream {
  write(text: string): unknown;
  /** Its size; 0 or absent when the terminal does not tell it. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Renders lines, none of them wider than `columns`. */
type LiveLines = (columns: number) => readonly string[];

/** Lines at the end of a terminal's output that are replaced while something runs. */
export interface LiveArea {
  /** Replaces the lines that are shown. `lines` is called again whenever they are redrawn. */
  show(lines: LiveLines): void;
  /** Prints `text` above them, where it stays. They are rendered again. */
  print(text: string): void;
  /** Removes them. Everything that writes to the terminal by itself must call it first. */
  clear(): void;
}

const ERASE = '\r\x1b[J';

/**
 * The cursor rests at the start of the first line, so that erasing needs no count of lines: after a resize the terminal
 * has wrapped them in its own way, but the cursor is still before them. It is not hidden: a killed command must not leave
 * a terminal without one.
 */
export function createLiveArea(stream: TerminalStream): LiveArea {
  let shown = '';
  let current: LiveLines = () => [];
  /** The bytes that redraw the current lines; the cursor returns to their start. */
  function painted(): string {
    const columns = (stream.columns || 80) - 1; // in the last one, some terminals move the cursor to the next line
    const lines = current(columns).slice(0, Math.max(1, (stream.rows || 24) - 1)); // what scrolled away stays for ever
    return lines.length === 0 ? '' : `${lines.join('\r\n')}${lines.length > 1 ? `\x1b[${lines.length - 1}A` : ''}\r`;
  }
  return {
    show(lines) {
      current = lines;
      const next = painted();
      if (next === shown) return;
      stream.write(shown === '' ? next : `${ERASE}${next}`);
      shown = next;
    },
    print(text) {
      const next = shown === '' ? '' : painted();
      stream.write(shown === '' ? `${text}\n` : `${ERASE}${text}\n${next}`);
      shown = next;
    },
    clear() {
      if (shown !== '') stream.write(ERASE);
      shown = '';
    },
  };
}
