import { type CloseReason, closeReasons } from '../code-host/close-reason.ts';
import { type BuildEnd, buildEnds } from './change-request-record.ts';

/** Millionths of a millionth of a US dollar: no price is finer. */
export type PicoUsd = bigint;

const PICO = 1e12;

export function toPicoUsd(usd: number): PicoUsd {
  return BigInt(Math.round(usd * PICO));
}

export function fromPicoUsd(cost: PicoUsd): number {
  return Number(cost) / PICO;
}

/** Counts of pull requests. Two tallies of different ones add up to that of all of them. */
export interface OutcomeTally {
  /** When the first of them was opened; null of none. */
  readonly firstOpenedAt: Date | null;
  readonly opened: number;
  readonly merged: number;
  readonly closed: number;
  readonly reverted: number;
  readonly peopleCommits: number;
  /** Merged ones to which no person added a commit. */
  readonly mergedUntouched: number;
  readonly reviewRounds: number;
  readonly firstBuilds: Readonly<Record<BuildEnd, number>>;
  /** The cost of pull requests whose cost is known, with their follow-ups. A whole number: a sum of many fractions would show their error. */
  readonly cost: PicoUsd;
  readonly priced: number;
  readonly pricedMerged: number;
  /** Pull requests that had a plan to approve. */
  readonly planned: number;
  readonly atFirstSight: number;
  readonly closeReasons: Readonly<Record<CloseReason, number>>;
}

export const NO_OUTCOMES: OutcomeTally = {
  firstOpenedAt: null,
  opened: 0,
  merged: 0,
  closed: 0,
  reverted: 0,
  peopleCommits: 0,
  mergedUntouched: 0,
  reviewRounds: 0,
  firstBuilds: countsOf(buildEnds, () => 0),
  cost: 0n,
  priced: 0,
  pricedMerged: 0,
  planned: 0,
  atFirstSight: 0,
  closeReasons: countsOf(closeReasons, () => 0),
};

export function addTallies(one: OutcomeTally, other: OutcomeTally): OutcomeTally {
  return {
    firstOpenedAt: earlier(one.firstOpenedAt, other.firstOpenedAt),
    opened: one.opened + other.opened,
    merged: one.merged + other.merged,
    closed: one.closed + other.closed,
    reverted: one.reverted + other.reverted,
    peopleCommits: one.peopleCommits + other.peopleCommits,
    mergedUntouched: one.mergedUntouched + other.mergedUntouched,
    reviewRounds: one.reviewRounds + other.reviewRounds,
    firstBuilds: countsOf(buildEnds, (end) => one.firstBuilds[end] + other.firstBuilds[end]),
    cost: one.cost + other.cost,
    priced: one.priced + other.priced,
    pricedMerged: one.pricedMerged + other.pricedMerged,
    planned: one.planned + other.planned,
    atFirstSight: one.atFirstSight + other.atFirstSight,
    closeReasons: countsOf(closeReasons, (reason) => one.closeReasons[reason] + other.closeReasons[reason]),
  };
}

/** One count for each name. */
export function countsOf<Name extends string, Count>(
  names: readonly Name[],
  count: (name: Name) => Count,
): Record<Name, Count> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, Count>;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one.getTime() <= other.getTime() ? one : other;
}
