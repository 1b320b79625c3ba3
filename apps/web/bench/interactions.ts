import type { CDPSession, Page } from '@playwright/test';

const SLOWDOWN = 4;
const ROUNDS = 5;

/** One kind of interaction at four times CPU slowdown, in milliseconds. */
export interface Measured {
  readonly name: string;
  /** From the input until the next frame is painted: the median of the rounds. */
  readonly median: number;
  readonly slowest: number;
  /** The work of the main thread in a round, on average, until it was idle again; much of it after the frame. */
  readonly work: Readonly<Record<'script' | 'style' | 'layout', number>>;
}

export interface Interactions {
  measure(name: string, act: (round: number) => Promise<void>): Promise<Measured>;
}

declare global {
  interface Window {
    slowest: number;
  }
}

export const LATE_MS = 2_000; // what is loaded after the page is there is loaded by then

export async function openInteractions(page: Page, cdp: CDPSession): Promise<Interactions> {
  await page.waitForTimeout(LATE_MS);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.evaluate(() => {
    window.slowest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId > 0) window.slowest = Math.max(window.slowest, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const settle = () =>
    page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 100)))),
    );
  await cdp.send('Performance.enable');
  const work = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const ms = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
    return { script: ms('ScriptDuration'), style: ms('RecalcStyleDuration'), layout: ms('LayoutDuration') };
  };
  return {
    async measure(name, act) {
      const durations: number[] = [];
      const before = await work();
      for (let round = 0; round < ROUNDS; round += 1) {
        await settle();
        await page.evaluate(() => {
          window.slowest = 0;
        });
        await act(round);
        await settle();
        durations.push(await page.evaluate(() => window.slowest));
      }
      const after = await work();
      const sorted = durations.toSorted((one, other) => one - other);
      const perRound = (kind: keyof typeof after) => (after[kind] - before[kind]) / ROUNDS;
      return {
        name,
        median: sorted[Math.floor(ROUNDS / 2)] ?? 0,
        slowest: sorted.at(-1) ?? 0,
        work: { script: perRound('script'), style: perRound('style'), layout: perRound('layout') },
      };
    },
  };
}
