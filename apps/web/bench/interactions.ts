import type { CDPSession, Page } from '@playwright/test';

const SLOWDOWN = 4;
const ROUNDS = 5;

/** What one interaction takes until the next frame is painted, at four times CPU slowdown: the median of some rounds. */
export interface Interactions {
  measure(name: string, act: (round: number) => Promise<void>): Promise<{ readonly name: string; readonly ms: number }>;
}

declare global {
  interface Window {
    slowest: number;
  }
}

export async function openInteractions(page: Page, cdp: CDPSession): Promise<Interactions> {
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
  return {
    async measure(name, act) {
      const durations: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await settle();
        await page.evaluate(() => {
          window.slowest = 0;
        });
        await act(round);
        await settle();
        durations.push(await page.evaluate(() => window.slowest));
      }
      return { name, ms: durations.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0 };
    },
  };
}
