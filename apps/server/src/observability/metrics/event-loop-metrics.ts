import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const SAMPLE_MS = 20; // a delay is measured to this precision, at the price of fifty timers a second
/** For how long a delay is shown at least: every Prometheus that asks once a minute or more often sees it. */
const SHOWN_MS = 60_000;

/**
 * Adds the longest delay of the event loop in the last one to two minutes. Not since the last look: a second reader, or a
 * person with a browser, would then hide it from the first.
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
    help: 'The longest time for which the event loop was held up, in the last one to two minutes.',
    registers: [registry],
    collect() {
      this.set(Math.max(lastMinute, longest()));
    },
  });
}
