/** A dependency that the readiness probe checks. `check` rejects when it is unreachable, or when the signal fires. */
export interface HealthCheck {
  check(signal: AbortSignal): Promise<void>;
}
