/** Why a database cannot be opened; the message says what to do. */
export class DatabaseRefusal extends Error {
  /**
   * `in_use`: another process has it. `newer`: a later version wrote it. `damaged`: it is no database any more, or its
   * rows contradict each other. `unreachable`: this user may not open or write it. `occupied`: it holds what is not ours,
   * or another installation's data. `moved`: it was copied to Postgres, and lives on there.
   */
  readonly reason: 'in_use' | 'newer' | 'damaged' | 'unreachable' | 'occupied' | 'moved';

  constructor(reason: DatabaseRefusal['reason'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DatabaseRefusal';
    this.reason = reason;
  }
}
