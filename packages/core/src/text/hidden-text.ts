import { hiddenMarkup } from './hidden-markup.ts';
import {
  decodeInvisible,
  type InvisibleRun,
  invisibleKinds,
  invisibleRuns,
  revealInvisible,
} from './invisible-text.ts';

const EXAMPLES = 3; // people read three; the text itself has the rest
const EXCERPT = 160; // characters of one example
const AROUND = 12; // characters before and after, to find the place

type Place = 'title' | 'body' | 'labels';

/** Hidden stretches of one kind in one place. */
interface Finding<Stretch> {
  readonly place: Place;
  readonly what: string;
  readonly stretches: readonly Stretch[];
  readonly lineOf: (stretch: Stretch) => number;
  /** Called only for the examples: there may be tens of thousands of stretches. */
  readonly shown: (stretch: Stretch) => string;
}

/**
 * Warnings about text that a reader of the issue does not see: its kind, place, amount and content. One line for each kind
 * and place, of limited length, without any hidden characters.
 */
export function hiddenTextWarnings(issue: {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}): string[] {
  return [
    ...warningsOf('title', issue.title),
    ...warningsOf('body', issue.body),
    ...warningsOf('labels', issue.labels.join('\n')),
  ];
}

function warningsOf(place: Place, text: string): string[] {
  const markup = sentence({
    place,
    what: 'HTML comments or other markup that a page hides, folds or shrinks',
    stretches: place === 'body' ? hiddenMarkup(text) : [], // titles and labels are shown as they are written
    lineOf: ({ line }) => line,
    shown: ({ content }) => quoted(content.trim()),
  });
  const runs = invisibleRuns(text);
  const invisible = Object.entries(invisibleKinds).map(([kind, name]) => {
    const stretches = runs.filter((run) => run.kind === kind);
    const characters = stretches.reduce((sum, { start, end }) => sum + [...text.slice(start, end)].length, 0);
    const what = `${name}, which are invisible (${characters} in all)`;
    const lineOf = ({ start }: InvisibleRun) => text.slice(0, start).split('\n').length;
    return sentence({ place, what, stretches, lineOf, shown: (run) => shownRun(text, run) });
  });
  return [markup, ...invisible].filter((line) => line !== null);
}

function sentence<Stretch>(finding: Finding<Stretch>): string | null {
  const { place, what, stretches, lineOf, shown } = finding;
  if (stretches.length === 0) return null;
  const verb = place === 'labels' ? 'have' : 'has';
  const times = stretches.length === 1 ? 'in one place' : `in ${stretches.length} places`;
  const examples = stretches.slice(0, EXAMPLES).map((stretch) => {
    return place === 'body' ? `line ${lineOf(stretch)}: ${shown(stretch)}` : shown(stretch);
  });
  const more = stretches.length > EXAMPLES ? `; and ${stretches.length - EXAMPLES} more` : '';
  return `Hidden text: the ${place} ${verb} ${times} ${what}: ${examples.join('; ')}${more}.`;
}

function shownRun(text: string, { kind, start, end }: InvisibleRun): string {
  const decoded = decodeInvisible(kind, text.slice(start, end));
  if (decoded !== null) return `they spell ${quoted(decoded)}`;
  const [from, to] = [Math.max(0, start - AROUND), Math.min(end, start + EXCERPT) + AROUND];
  return quoted(text.slice(from, to));
}

/** A text on one line, of limited length, with invisible characters spelled out. */
function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT + 2).toWellFormed()];
  const cut = characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : characters.join('');
  const seen = revealInvisible(cut).replaceAll(/[\n\r\u2028\u2029]+/g, ' ↵ ');
  return seen.trim() === '' ? '(nothing)' : `“${seen}”`;
}
