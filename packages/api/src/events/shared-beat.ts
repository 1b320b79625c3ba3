import type { Signals } from '@sluice/core';
import { HEARTBEAT_MS } from '../procedure/procedure.ts';

const hearts = new WeakMap<Signals, { readonly timer: NodeJS.Timeout; readonly beats: Set<() => void> }>();

/**
 * Calls `beat` at every heartbeat until it is stopped. All streams beat together, so that what they ask of the store then
 * is asked once for many.
 */
export function onSharedBeat(signals: Signals, beat: () => void): () => void {
  const heart = hearts.get(signals) ?? start(signals);
  const own = () => beat();
  heart.beats.add(own);
  return () => {
    heart.beats.delete(own);
    if (heart.beats.size > 0 || hearts.get(signals) !== heart) return;
    clearInterval(heart.timer);
    hearts.delete(signals);
  };
}

function start(signals: Signals) {
  const beats = new Set<() => void>();
  const timer = setInterval(() => {
    for (const beat of [...beats]) beat();
  }, HEARTBEAT_MS);
  const heart = { timer, beats };
  hearts.set(signals, heart);
  return heart;
}
