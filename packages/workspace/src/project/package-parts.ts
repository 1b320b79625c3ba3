import type { OutputText } from './output-text.ts';

/** The output of one package, where several ran. */
interface PackagePart extends OutputText {
  /** Null where the output tells of one package only, or of none. */
  readonly name: string | null;
}

/** How npm and pnpm begin the script of a package: `> shop@1.0.0 test`. */
const HEADER = /^> ((?:@[\w.-]+\/)?[\w.-]+)@\S* [\w:.-]+(?: \/.*)?$/;

const MOST_PARTS = 500; // each is read by every reader; a workspace of that size runs in parts

/**
 * The parts of an output in which the scripts of several packages ran one after the other: their tests may have equal names.
 */
export function packageParts(output: OutputText): PackagePart[] {
  const { lines } = output;
  const headers = lines.flatMap((line, at) => {
    const name = line.startsWith('> ') ? HEADER.exec(line)?.[1] : undefined;
    return name === undefined ? [] : [{ at, name }];
  });
  const isOne = new Set(headers.map(({ name }) => name)).size < 2;
  if (isOne || headers.length > MOST_PARTS) return [{ ...output, name: null }];
  const texts = output.text.split('\n');
  return [{ at: 0, name: null }, ...headers].map(({ at, name }, index) => {
    const end = headers[index]?.at;
    return { name, text: texts.slice(at, end).join('\n'), lines: lines.slice(at, end) };
  });
}
