/** One connection. Whatever fails rejects with AppError `not_ready`. */
export interface IndexConnection {
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]>;
}
