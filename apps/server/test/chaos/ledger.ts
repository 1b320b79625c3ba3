/** A fault that the installation suffers. */
type Fault =
  | 'worker killed'
  | 'worker frozen past its lease'
  | 'worker stopped'
  | 'api stopped'
  | 'postgres restarted'
  | 'connections terminated'
  | 'redis killed'
  | 'redis frozen'
  | 'chroma killed'
  | 'chroma frozen';

/**
 * After a fault, connections are reopened and waiting work is done: until then 503 is a correct answer to a client that asks
 * within that. What waits for the database gives up after 10 s.
 */
const AFTERMATH_MS = 12_000;
const SLOW_MS = 60_000; // on a busy machine; what hangs has no end

/** Everything that a run of faults counts. */
export interface Ledger {
  fault(kind: Fault): void;
  /** Something that must never be. */
  violation(text: string): void;
  /** A time in which an unavailable answer is right. Returns what ends it. */
  outage(): () => void;
  /** Counts something that is neither right nor wrong. */
  note(what: string): void;
  /** Judges one answer of the api. */
  answered(answer: { request: string; status: number; body: unknown; ms: number }): void;
  readonly faults: ReadonlyMap<string, number>;
  readonly notes: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

/** Opens the empty ledger of a run of faults. @param say called with each violation as it is found */
export function openLedger(say: (line: string) => void = () => undefined): Ledger {
  const faults = new Map<string, number>();
  const notes = new Map<string, number>();
  const violations: string[] = [];
  let open = 0;
  let lastEndedAt = Number.NEGATIVE_INFINITY;
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  const isExcused = (askedAt: number) => open > 0 || askedAt - lastEndedAt < AFTERMATH_MS;

  const violation = (text: string) => {
    violations.push(text);
    say(`VIOLATION ${text}`);
  };

  return {
    faults,
    notes,
    violations,
    fault: (kind) => void count(faults, kind),
    note: (what) => void count(notes, what),
    violation,
    outage() {
      open += 1;
      return () => {
        open -= 1;
        lastEndedAt = performance.now();
      };
    },
    answered({ request, status, body, ms }) {
      const { detail, code } = (body ?? {}) as { detail?: unknown; code?: unknown };
      count(notes, status >= 500 ? `answered ${status} ${String(code)}` : `answered ${status}`);
      if (ms > SLOW_MS) violation(`${request} took ${Math.round(ms)} ms to answer ${status}`);
      if (status < 500) return;
      const isSaid = (status === 502 || status === 503) && typeof detail === 'string';
      if (!isSaid) violation(`${request} answered ${status}: ${JSON.stringify(body)}`);
      else if (code !== 'shutting_down' && !isExcused(performance.now() - ms))
        violation(`${request} answered ${status} with all well`);
    },
  };
}
