import type { Observer } from '../observer.ts';

/** What is traced, and the end of it. */
export interface Tracing {
  readonly observer: Observer;
  /** Sends what is left, for a moment: whoever takes the traces keeps nobody from stopping. */
  close(): Promise<void>;
}
