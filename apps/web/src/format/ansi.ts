/** How a piece of terminal text looks: names of colours and styles, as `TerminalText` has classes for. */
type TerminalStyle = readonly string[];

interface TerminalSpan {
  readonly text: string;
  readonly style: TerminalStyle;
}

// What a terminal acts on instead of showing it: CSI and OSC sequences, other strings with their end, two-character escapes.
const ESCAPE = /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const FLAGS: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};

interface Pen {
  ink: string | null;
  paper: string | null;
  readonly flags: Set<string>;
}

/** A line of terminal text by its colours and styles. Every other control sequence is left out. */
export function parseAnsi(line: string): readonly TerminalSpan[] {
  if (!line.includes('\u001b')) return [{ text: line, style: [] }];
  const spans: TerminalSpan[] = [];
  const pen: Pen = { ink: null, paper: null, flags: new Set() };
  let end = 0;
  const add = (text: string) => {
    if (text !== '') spans.push({ text, style: styleOf(pen) });
  };
  for (const { index, 0: sequence, 1: parameters, 2: final } of line.matchAll(ESCAPE)) {
    add(line.slice(end, index));
    end = index + sequence.length;
    if (final === 'm' && parameters !== undefined) applyStyle(pen, parameters);
  }
  add(line.slice(end));
  return spans;
}

/** Terminal text without its control sequences. */
export function stripAnsi(text: string): string {
  return text.includes('\u001b') ? text.replace(ESCAPE, '') : text;
}

function styleOf({ ink, paper, flags }: Pen): TerminalStyle {
  return [...(ink === null ? [] : [ink]), ...(paper === null ? [] : [`on-${paper}`]), ...flags];
}

function applyStyle(pen: Pen, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const isIndexed = codes[index + 1] === 5;
      const colour = isIndexed ? indexedColour(codes[index + 2] ?? 0) : null; // true colour has no place in a theme
      if (code === 38) pen.ink = colour;
      else pen.paper = colour;
      index += isIndexed ? 2 : 4;
    } else applyCode(pen, code);
  }
}

function applyCode(pen: Pen, code: number): void {
  const flag = FLAGS[code];
  if (flag !== undefined) pen.flags.add(flag);
  else if (code === 0) {
    pen.ink = null;
    pen.paper = null;
    pen.flags.clear();
  } else if (code === 22) {
    pen.flags.delete('bold');
    pen.flags.delete('dim');
  } else if (code > 22 && code < 30) pen.flags.delete(FLAGS[code - 20] ?? '');
  else if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) pen.ink = COLOURS[code % 10] ?? null;
  else if ((code >= 40 && code < 48) || (code >= 100 && code < 108)) pen.paper = COLOURS[code % 10] ?? null;
  else if (code === 39) pen.ink = null;
  else if (code === 49) pen.paper = null;
}

function indexedColour(index: number): string | null {
  return index < 16 ? (COLOURS[index % 8] ?? null) : null;
}
