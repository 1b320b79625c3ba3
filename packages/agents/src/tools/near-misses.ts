import { shortenEnd } from './shorten.ts';

const SHOWN = 3;
const MIN_LIKENESS = 0.6; // below it the "near miss" has only the language's own words in common
const MIN_SHARE = 0.4; // of characters; a likeness of 0.6 needs 0.43 of the pairs
const MAX_COMPARED = 400; // characters of a line
const MAX_LINES = 20_000; // about 0.2 s at worst

/** The places at which the first line of a missing text almost stands: a sentence for the model, or ''. */
export function nearMisses(text: string, wanted: string): string {
  const first = wanted
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  if (first === undefined) return '';
  const pairs = pairsOf(first);
  const near = text
    .split('\n', MAX_LINES)
    .map((line, index) => ({ number: index + 1, line, likeness: likeness(pairs, line.trim()) }))
    .filter((candidate) => candidate.likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || a.number - b.number)
    .slice(0, SHOWN);
  if (near.length === 0) return ' Nothing like it is there either: read the file again.';
  const shown = near.map(({ number, line }) => `${number}\t${shortenEnd(line, 300)}`).join('\n');
  return ` The nearest lines are:\n${shown}\nCopy the text exactly as it stands, with its spaces.`;
}

/** Pairs of neighbouring characters, without regard to case and spaces. */
function pairsOf(line: string): Set<string> {
  const squeezed = line.toLowerCase().slice(0, MAX_COMPARED).replaceAll(/\s+/g, '');
  const pairs = new Set<string>();
  for (let index = 0; index < Math.max(1, squeezed.length - 1); index += 1) pairs.add(squeezed.slice(index, index + 2));
  return pairs;
}

/** Share of pairs that two lines have in common (Dice): 1 = the same but for case and spaces. */
function likeness(wanted: ReadonlySet<string>, line: string): number {
  // A line much shorter than the wanted one cannot be like it: most are ruled out without being taken apart.
  if (line === '' || Math.min(line.length, MAX_COMPARED) < wanted.size * MIN_SHARE) return 0;
  const pairs = pairsOf(line);
  return (2 * [...pairs].filter((pair) => wanted.has(pair)).length) / (wanted.size + pairs.size);
}
