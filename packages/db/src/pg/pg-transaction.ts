import { type PoolClient, types as pgTypes, type QueryArrayConfig, type QueryConfig, type QueryResult } from 'pg';
import type { NamedStatements } from './named-statements.ts';
import { isAway } from './pg-failure.ts';
import { type BatchedStatement, StatementBatch, type StatementShapes } from './statement-batch.ts';

/** One transaction, on a connection that it takes with its first statement. */
export interface PgTransaction {
  /** Like `PoolClient.query`. Statements that are asked for in one turn of the event loop are sent together. */
  query(config: QueryConfig | QueryArrayConfig, values?: readonly unknown[]): Promise<QueryResult>;
  /** Whether a statement was asked for. */
  isBegun(): boolean;
  /**
   * Runs `last` and commits, in one message. Each of `last` asks for one statement and awaits nothing else. What was
   * committed is not reported as failed when the answer to one of `last` cannot be read.
   *
   * @throws CommitUnknown when the connection is lost while Postgres may be committing
   * @throws Error when a statement failed; then nothing was committed. Or when one of `last` was asked for too late,
   *   which is a bug in the caller
   */
  commit(last: readonly (() => PromiseLike<unknown>)[]): Promise<void>;
  /** Rolls back what was sent, and drops what was not. */
  rollback(error: unknown): Promise<void>;
  /** Gives the connection back, or ends one that is broken. */
  release(): void;
}

/** Whether a transaction took effect is unknown; the cause is the loss of its connection. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost in a commit.', { cause });
    this.name = 'CommitUnknown';
  }
}

/** The statements of one turn of the event loop. */
interface Turn {
  readonly statements: BatchedStatement[];
  /** Set when the transaction ends with this turn. */
  commit: PromiseWithResolvers<QueryResult> | null;
  /** How many statements must be there for the commit to be sent. */
  expected: number;
}

interface Parts {
  readonly connect: () => Promise<PoolClient>;
  readonly named: NamedStatements;
  /** Kept as long as the connection. */
  readonly shapesOf: (client: PoolClient) => StatementShapes;
}

/** Begins nothing yet: `begin` is sent with the first statement. */
export function createPgTransaction({ connect, named, shapesOf }: Parts): PgTransaction {
  let turn: Turn | null = null;
  let connecting: Promise<PoolClient> | undefined;
  let client: PoolClient | undefined;
  let state: 'open' | 'committing' | 'ended' = 'open';
  let broken = false;
  let isLate = false; // a statement was asked for when the commit was under way
  const lost: Error[] = [];
  // An idle connection reports its loss by an event, which without a listener would end the process.
  const onError = (error: Error) => {
    broken = true;
    lost.push(error);
  };

  /** The statements of this turn, which are sent when its microtasks have run. */
  function thisTurn(): Turn {
    if (turn !== null) return turn;
    const opened: Turn = { statements: [], commit: null, expected: 0 };
    turn = opened;
    process.nextTick(() => {
      if (turn === opened) sendTurn(opened);
    });
    return opened;
  }

  function sendTurn({ statements, commit, expected }: Turn): void {
    if (commit !== null && statements.length < expected) {
      drop(new Error('What a transaction does at its end awaited something other than its statement.'));
      return;
    }
    turn = null;
    const isFirst = connecting === undefined;
    const batch = isFirst ? [control('begin', ignored), ...statements] : [...statements];
    if (commit !== null) {
      const { resolve } = commit;
      const reject = (error: unknown, isSkipped: boolean) =>
        commit.reject(isAway(error) && !isSkipped ? new CommitUnknown(error) : error);
      batch.push(control('commit', { resolve, reject }));
    }
    connecting ??= connected();
    if (client !== undefined) send(client, batch);
    else {
      connecting.then(
        (client) => send(client, batch),
        (error: unknown) => refuse(batch, error),
      );
    }
  }

  async function connected(): Promise<PoolClient> {
    client = await connect();
    client.on('error', onError);
    return client;
  }

  function send(client: PoolClient, batch: readonly BatchedStatement[]): void {
    if (state === 'ended') refuse(batch, outside());
    else client.query(new StatementBatch(batch, shapesOf(client)));
  }

  function drop(reason: unknown): void {
    const dropped = turn;
    turn = null;
    refuse(dropped?.statements ?? [], reason);
    dropped?.commit?.reject(reason);
  }

  function control(text: 'begin' | 'commit', settle: Pick<BatchedStatement, 'resolve' | 'reject'>): BatchedStatement {
    return { text, name: named.nameOf(text), values: [], asArrays: true, types: pgTypes, ...settle };
  }

  async function commit(last: readonly (() => PromiseLike<unknown>)[]): Promise<void> {
    const ending = thisTurn();
    ending.commit = Promise.withResolvers();
    ending.expected = ending.statements.length + last.length;
    const lastResults = last.map(async (statement) => await statement());
    Promise.all(lastResults).catch(drop); // what fails before the turn ends keeps the commit from being sent
    state = 'committing';
    const { command } = await ending.commit.promise;
    // So Postgres answers when a statement has failed and its error was ignored.
    if (command !== 'COMMIT') throw new Error('A transaction was rolled back, because one of its statements failed.');
    await Promise.allSettled(lastResults); // their answers are not used, so one that cannot be read is no failure
    if (isLate) throw new Error('A transaction was committed without a statement, which was asked for too late.');
    state = 'ended';
  }

  return {
    query: (config, values = config.values ?? []) =>
      new Promise((resolve, reject) => {
        isLate ||= state === 'committing' && turn === null;
        if (state === 'ended' || isLate) throw outside();
        const { text, name, types = pgTypes } = config;
        const asArrays = 'rowMode' in config && config.rowMode === 'array';
        const known = name === '' ? undefined : named.nameOf(text); // also of what is built at each call: it finds rows by key
        thisTurn().statements.push({ text, name: known, values: values.map(asText), asArrays, types, resolve, reject });
      }),
    isBegun: () => connecting !== undefined || turn !== null,
    commit: async (last) => {
      if (lost[0] !== undefined) throw lost[0]; // since its last query: nothing stands
      if (connecting === undefined && turn === null && last.length === 0) return; // it asked for nothing
      await commit(last);
    },
    rollback: async (error) => {
      drop(error);
      state = 'ended';
      if (isAway(error) || error instanceof CommitUnknown) broken = true;
      else if (!broken) broken = (await client?.query('rollback').then(isFine, isBroken)) ?? false;
    },
    release: () => {
      const release = (client: PoolClient) => {
        client.off('error', onError);
        client.release(broken);
      };
      if (client !== undefined) release(client);
      else connecting?.then(release, () => undefined);
    },
  };
}

const ignored = { resolve: () => {}, reject: () => {} };
const isFine = () => false;
const isBroken = () => true;
const outside = () => new Error('This statement is outside of its transaction.');

function refuse(batch: readonly BatchedStatement[], reason: unknown): void {
  for (const { reject } of batch) reject(reason, true);
}

/** A value as Postgres reads it. The columns have turned dates and JSON into text already. */
function asText(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`A statement was given a value of the type ${typeof value}.`);
}
