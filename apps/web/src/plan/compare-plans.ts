import type { Plan, PlanStep } from '@sluice/client';

/** An item of a list in two revisions. `before` is null for one that is new, `after` for one that is gone. */
export interface ComparedItem<Item> {
  readonly kind: 'same' | 'changed' | 'added' | 'removed';
  readonly before: Item | null;
  readonly after: Item | null;
}

export interface ComparedPlans {
  readonly steps: readonly ComparedItem<PlanStep>[];
  readonly criteria: readonly ComparedItem<string>[];
  readonly risks: readonly ComparedItem<string>[];
  /** The other texts that differ, by what they are. */
  readonly texts: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** What a revision of a plan changes in the one before. */
export function comparePlans(before: Plan, after: Plan): ComparedPlans {
  const texts = [
    { name: 'Summary', before: before.summary, after: after.summary },
    { name: 'Test strategy', before: before.test_strategy, after: after.test_strategy },
    { name: 'Setup command', before: before.setup_command ?? '', after: after.setup_command ?? '' },
    { name: 'Test command', before: before.test_command ?? '', after: after.test_command ?? '' },
  ];
  const sentences = { isSame: (one: string, other: string) => one === other, likeness };
  return {
    steps: compareLists(before.steps, after.steps, {
      isSame: isSameStep,
      likeness: (one, other) => (one.title === other.title ? 1 : likeness(textOf(one), textOf(other))),
    }),
    criteria: compareLists(before.acceptance_criteria, after.acceptance_criteria, sentences),
    risks: compareLists(before.risks, after.risks, sentences),
    texts: texts.filter(({ before: old, after: young }) => old !== young),
  };
}

/** How many items differ, over all of a plan. */
export function countChanges({ steps, criteria, risks, texts }: ComparedPlans): number {
  return texts.length + [steps, criteria, risks].flat().filter(({ kind }) => kind !== 'same').length;
}

interface Comparison<Item> {
  readonly isSame: (one: Item, other: Item) => boolean;
  /** From 0, nothing in common, to 1. */
  readonly likeness: (one: Item, other: Item) => number;
}

const ALIKE = 0.5; // below that a reader sees two different items

/** In the order of the new list; what is gone stands where it stood. */
function compareLists<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { isSame, likeness: like }: Comparison<Item>,
): readonly ComparedItem<Item>[] {
  const partners = new Map<number, number>(); // from places in the new list to places in the old one: items may be equal
  const free = new Set(before.keys());
  const pair = (isPair: (old: Item, young: Item) => boolean) => {
    for (const [place, young] of after.entries()) {
      if (partners.has(place)) continue;
      const at = [...free].find((index) => isPair(before[index] as Item, young));
      if (at === undefined) continue;
      partners.set(place, at);
      free.delete(at);
    }
  };
  pair(isSame);
  pair((old, young) => like(old, young) >= ALIKE);
  const gone = [...free];
  const rows: ComparedItem<Item>[] = [];
  const addGone = (end: number) => {
    while ((gone[0] ?? end) < end)
      rows.push({ kind: 'removed', before: before[gone.shift() ?? 0] as Item, after: null });
  };
  for (const [place, young] of after.entries()) {
    const at = partners.get(place);
    if (at === undefined) {
      rows.push({ kind: 'added', before: null, after: young });
      continue;
    }
    addGone(at);
    const old = before[at] as Item;
    rows.push({ kind: isSame(old, young) ? 'same' : 'changed', before: old, after: young });
  }
  addGone(before.length);
  return rows;
}

function isSameStep(one: PlanStep, other: PlanStep): boolean {
  return one.title === other.title && one.detail === other.detail && one.files.join('\n') === other.files.join('\n');
}

function textOf({ title, detail }: PlanStep): string {
  return `${title} ${detail}`;
}

/** The share of words that two texts have in common. */
function likeness(one: string, other: string): number {
  const [words, others] = [new Set(one.toLowerCase().split(/\s+/)), new Set(other.toLowerCase().split(/\s+/))];
  const common = [...words].filter((word) => others.has(word)).length;
  return (2 * common) / (words.size + others.size);
}
