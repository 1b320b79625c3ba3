import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const SAMPLE_MS = 20; // the precision of the measurement; it costs fifty timers a second
/** Minimum time for which a delay is reported, so that a Prometheus that scrapes once a minute sees it. */
const SHOWN_MS = 60_000;

/**
 * Adds the longest delay of the event loop in the last one to two minutes. Resetting it at each scrape would let a second
 * scraper, or a browser, hide it from the first.
 */
export function addEventLoopMetrics(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  // Each sample is the time since the one before, so it holds the pause between two samples as well.
  const longest = () => Math.max(0, delays.max / 1e9 - SAMPLE_MS / 1_000);
  let lastMinute = 0;
  setInterval(() => {
    lastMinute = longest();
    delays.reset();
  }, SHOWN_MS).unref();
  new Gauge({
    name: 'sluice_event_loop_longest_delay_seconds',
    help: 'Longest time for which the event loop was blocked in the last one to two minutes.',
    registers: [registry],
    collect() {
      this.set(Math.max(lastMinute, longest()));
    },
  });
}
