import {
  type Connection,
  type CustomTypesConfig,
  DatabaseError,
  type FieldDef,
  type QueryResult,
  type Submittable,
} from 'pg';

/** A statement that waits to be sent, and who waits for its result. */
export interface BatchedStatement {
  readonly text: string;
  /** Under which it is prepared; undefined: it is parsed each time. */
  readonly name: string | undefined;
  readonly values: readonly (string | Buffer | null)[];
  /** Rows as arrays of their columns instead of objects. */
  readonly asArrays: boolean;
  readonly types: CustomTypesConfig;
  resolve(result: QueryResult): void;
  /** @param isSkipped it was never run: it was not sent, or the server refused a statement before it */
  reject(error: unknown, isSkipped: boolean): void;
}

/** What a statement was answered, and why its rows could not be read. */
interface Answer {
  readonly result: QueryResult;
  readonly unreadable: { readonly reason: unknown } | undefined;
}

/** The columns of a statement's rows, and how each is read. */
interface Shape {
  readonly fields: FieldDef[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/**
 * The shapes of the statements that a connection has prepared, by name. A prepared statement cannot change its columns:
 * Postgres refuses to run it once their types have changed. So each is described once.
 */
export type StatementShapes = Map<string, Shape>;

/** pg's connection, with the texts of what it has prepared by name, which its types leave out. */
type PreparingConnection = Connection & { readonly parsedStatements: Record<string, string | undefined> };

const NO_COLUMNS: Shape = { fields: [], parsers: [] };

/**
 * Sends several statements as one message with one `Sync`. When one fails, Postgres skips the rest up to the `Sync`, so a
 * statement never runs outside of the transaction that a `begin` before it in the batch failed to open.
 *
 * Everything but the methods that `pg` calls on a query (`Client` documents them nowhere; see its `query.js`) is done
 * here: `pg` itself sends one `Sync` for each statement.
 */
export class StatementBatch implements Submittable {
  /** Set by `pg`, which replaces it to stop its clock for the answer. */
  callback: (error: unknown) => void = (error) => this.#settle(error);
  readonly #statements: readonly BatchedStatement[];
  readonly #shapes: StatementShapes;
  readonly #answers: Answer[] = [];
  #shape: Shape | undefined;
  #rows: unknown[] = [];
  #unreadable: Answer['unreadable'];
  #settled = false;

  constructor(statements: readonly BatchedStatement[], shapes: StatementShapes) {
    this.#statements = statements;
    this.#shapes = shapes;
  }

  /** The statement that is being answered. `pg` notes under its name that it is prepared. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  get #current(): BatchedStatement | undefined {
    return this.#statements[this.#answers.length];
  }

  submit(connection: Connection): null {
    const { parsedStatements } = connection as PreparingConnection;
    const seen = new Set<string>();
    connection.stream.cork();
    try {
      for (const { name, text, values } of this.#statements) {
        const isNew = name === undefined || !seen.has(name);
        if (name === undefined || (isNew && parsedStatements[name] === undefined)) {
          send(connection, 'parse', { name: name ?? '', text });
        }
        send(connection, 'bind', { statement: name ?? '', values });
        if (name === undefined || (isNew && !this.#shapes.has(name))) send(connection, 'describe', { type: 'P' });
        send(connection, 'execute', null);
        if (name !== undefined) seen.add(name);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const types = this.#current?.types;
    if (types === undefined) return;
    this.#shape = { fields, parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')) };
  }

  handleDataRow({ fields: columns }: { fields: readonly (string | null)[] }): void {
    const statement = this.#current;
    if (statement === undefined) return;
    const { fields, parsers } = this.#shapeOf(statement);
    try {
      const row = columns.map((text, index) => (text === null ? null : (parsers[index]?.(text) ?? null)));
      this.#rows.push(
        statement.asArrays ? row : Object.fromEntries(row.map((value, index) => [fields[index]?.name, value])),
      );
    } catch (reason) {
      this.#unreadable ??= { reason }; // thrown here, it would end the process
    }
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const statement = this.#current;
    if (statement === undefined) return;
    const shape = this.#shapeOf(statement);
    if (statement.name !== undefined) this.#shapes.set(statement.name, shape);
    const [command = '', ...counts] = tag.split(' ');
    const rowCount = counts.length === 0 ? null : Number(counts.at(-1));
    const result = { command, rowCount, oid: 0, fields: shape.fields, rows: this.#rows };
    this.#answers.push({ result, unreadable: this.#unreadable });
    this.#rows = [];
    this.#shape = undefined;
    this.#unreadable = undefined;
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined);
  }

  #shapeOf({ name }: BatchedStatement): Shape {
    return this.#shape ?? (name === undefined ? undefined : this.#shapes.get(name)) ?? NO_COLUMNS;
  }

  /** Resolves the statements before the failed one with their results; rejects that one and the rest with its error. */
  #settle(error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    const refused = error instanceof DatabaseError ? this.#answers.length : Number.POSITIVE_INFINITY;
    for (const [index, { resolve, reject }] of this.#statements.entries()) {
      const answer = this.#answers[index];
      if (answer === undefined) reject(error, index > refused);
      else if (answer.unreadable !== undefined) reject(answer.unreadable.reason, false);
      else resolve(answer.result);
    }
  }
}

/** `pg` reads one argument of these; its types are of an older version. */
function send(connection: Connection, message: 'parse' | 'bind' | 'describe' | 'execute', of: object | null): void {
  (connection[message] as (of: object | null) => void)(of);
}
