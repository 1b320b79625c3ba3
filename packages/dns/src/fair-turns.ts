import { untilAborted } from '@sluice/core/async';

/** Turns for work of many owners. A turn goes to the owner who has the fewest, and among those to who has waited longest. */
export interface FairTurns {
  /**
   * Waits for a turn.
   *
   * @returns a function that ends the turn; null when the owner has too many waiting already
   * @throws the signal's reason when it fires before the turn has come
   */
  take(owner: string, signal: AbortSignal): Promise<(() => void) | null>;
}

export interface TurnLimits {
  readonly inAll: number;
  readonly perOwner: number;
  readonly waitingPerOwner: number;
}

export function createFairTurns({ inAll, perOwner, waitingPerOwner }: TurnLimits): FairTurns {
  const running = new Map<string, number>();
  /** The lines of owners who wait, in the order in which they came or had a turn last. */
  const lines = new Map<string, PromiseWithResolvers<void>[]>();
  let total = 0;

  function next(): string | null {
    let chosen: string | null = null;
    let fewest = perOwner;
    for (const owner of lines.keys()) {
      const count = running.get(owner) ?? 0;
      if (count < fewest) [chosen, fewest] = [owner, count];
    }
    return chosen;
  }

  function grant(): void {
    while (total < inAll) {
      const owner = next();
      if (owner === null) return;
      const [turn, ...others] = lines.get(owner) ?? [];
      lines.delete(owner);
      if (others.length > 0) lines.set(owner, others);
      total += 1;
      running.set(owner, (running.get(owner) ?? 0) + 1);
      turn?.resolve();
    }
  }

  function end(owner: string): void {
    total -= 1;
    const left = (running.get(owner) ?? 1) - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
    grant();
  }

  /** @returns whether it was still waiting */
  function leave(owner: string, turn: PromiseWithResolvers<void>): boolean {
    const line = lines.get(owner) ?? [];
    const others = line.filter((one) => one !== turn);
    if (others.length === 0) lines.delete(owner);
    else lines.set(owner, others);
    return others.length < line.length;
  }

  return {
    async take(owner, signal) {
      signal.throwIfAborted();
      const line = lines.get(owner) ?? [];
      if (line.length >= waitingPerOwner) return null;
      const turn = Promise.withResolvers<void>();
      lines.set(owner, [...line, turn]);
      grant();
      try {
        await untilAborted(turn.promise, signal);
      } catch (error) {
        // The turn may have come in the same moment.
        if (!leave(owner, turn)) end(owner);
        throw error;
      }
      return () => end(owner);
    },
  };
}
