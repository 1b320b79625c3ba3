import type { Observer } from '../observer.ts';

/** An observer that traces, and its shutdown. */
export interface Tracing {
  readonly observer: Observer;
  /** Sends the remaining spans with a short timeout, so that a slow collector does not delay the shutdown. */
  close(): Promise<void>;
}
