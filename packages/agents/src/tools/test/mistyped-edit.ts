import { randomFrom } from '@sluice/testing';

const WORDS = ['return x;', 'a();', '}', 'if (b) {', 'b = "c";', '', 'else {', 'call(1, 2);', '// note'];

/** One mistyped edit: a file of few different lines, a piece of it, and the piece as a model would have it wrong. */
export function mistypedEdit(seed: number) {
  const next = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const unit = pick(['  ', '    ', '\t']);
  const lines = Array.from({ length: 12 + Math.floor(next() * 20) }, (_, index) => {
    const word = next() < 0.25 ? `unique${index}();` : pick(WORDS);
    return word === '' ? '' : unit.repeat(Math.floor(next() * 4)) + word;
  });
  const at = Math.floor(next() * (lines.length - 5));
  const count = 1 + Math.floor(next() * 4);
  const eol = next() < 0.2 ? '\r\n' : '\n';
  const before = lines.slice(at, at + count);
  const indent = /^\s*/.exec(before.find((line) => line !== '') ?? '')?.[0];
  const after = before.flatMap((line, index) => (index === 0 ? [line, `${indent}new();`] : [line]));
  const slip = pick(['numbers', 'out', 'in', 'ends', 'tabs', 'numbers and out']);
  const shared = before.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.length - line.trimStart().length)),
    99,
  );
  const wrong = (part: readonly string[]): string => {
    const moved = part.map((line) => {
      if (line === '') return line;
      if (slip.includes('out')) return line.slice(shared === 99 ? 0 : shared);
      if (slip === 'in') return unit + line;
      if (slip === 'ends') return `${line}  `;
      return slip === 'tabs' && unit !== '\t'
        ? line.replace(/^ +/, (gap) => '\t'.repeat(gap.length / unit.length))
        : line;
    });
    return moved.map((line, index) => (slip.includes('numbers') ? `${at + index + 1}\t${line}` : line)).join('\n');
  };
  const trimmed = (part: string) => (slip === 'ends' ? part.replaceAll(/[ ]+$/gm, '') : part);
  return {
    slip,
    text: lines.join(eol) + eol,
    from: wrong(before),
    to: trimmed(wrong(after)),
    expected: [...lines.slice(0, at), ...after, ...lines.slice(at + count)].join(eol) + eol,
  };
}
