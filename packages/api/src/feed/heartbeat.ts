import type { Signals } from '@sluice/core';
import { HEARTBEAT_MS } from '../procedure/procedure.ts';

/** A look of a thousand streams at as many issues takes a second; so few at a time hold nobody up. */
const PHASES = 60;

interface Heart {
  readonly timer: NodeJS.Timeout;
  readonly phases: readonly Set<() => void>[];
}

const hearts = new WeakMap<Signals, Heart>();

/**
 * Calls `beat` once in every heartbeat until it is stopped. All streams of one subject beat together, so that what they ask
 * of the store then is asked once for many; those of different subjects are spread over the time between two beats.
 */
export function onSharedBeat(signals: Signals, subject: string, beat: () => void): () => void {
  const heart = hearts.get(signals) ?? start(signals);
  const own = () => beat();
  const phase = heart.phases[phaseOf(subject)];
  phase?.add(own);
  return () => {
    phase?.delete(own);
    if (heart.phases.some(({ size }) => size > 0) || hearts.get(signals) !== heart) return;
    clearInterval(heart.timer);
    hearts.delete(signals);
  };
}

function start(signals: Signals): Heart {
  const phases = Array.from({ length: PHASES }, () => new Set<() => void>());
  let now = 0;
  const timer = setInterval(() => {
    now = (now + 1) % PHASES;
    for (const beat of [...(phases[now] ?? [])]) beat();
  }, HEARTBEAT_MS / PHASES);
  const heart = { timer, phases };
  hearts.set(signals, heart);
  return heart;
}

function phaseOf(subject: string): number {
  let sum = 0;
  for (const character of subject) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % PHASES;
}
