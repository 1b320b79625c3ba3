/** Something that the readiness probe asks. Rejects when it is unreachable; ends early when the signal fires. */
export interface HealthCheck {
  check(signal: AbortSignal): Promise<void>;
}
