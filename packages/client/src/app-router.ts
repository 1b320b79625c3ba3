import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import type { Mutation, Query, Subscription } from './call.ts';
import type { ServerCalls, ServerErrorCode } from './server-calls.ts';

/** The `data` of an error of tRPC's own client. A newer server may have codes that are not listed here. */
export interface ErrorData {
  /** The code of tRPC, such as `CONFLICT`. */
  readonly code: string;
  readonly httpStatus: number;
  /** The body of the same refusal over REST. */
  readonly error: {
    readonly code: ServerErrorCode;
    readonly detail: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
    readonly request_id?: string;
    readonly [member: string]: unknown;
  };
}

/** An item of a stream. Live text has no `id`, because it cannot be resumed. */
interface StreamItem<Event> {
  readonly id: string;
  readonly data: Event;
}

type ProcedureOf<Call> =
  Call extends Query<infer Input, infer Output>
    ? TRPCQueryProcedure<{ meta: unknown; input: Input; output: Output }>
    : Call extends Mutation<infer Input, infer Output>
      ? TRPCMutationProcedure<{ meta: unknown; input: Input; output: Output }>
      : Call extends Subscription<infer Input, infer Event>
        ? TRPCSubscriptionProcedure<{ meta: unknown; input: Input; output: AsyncIterable<StreamItem<Event>> }>
        : RecordOf<Call>;

type RecordOf<Calls> = { [Name in keyof Calls]: ProcedureOf<Calls[Name]> };

/**
 * The server's router as tRPC's own tools expect it, for example `createTRPCOptionsProxy<AppRouter>` of
 * `@trpc/tanstack-react-query`. Only this entry of the package needs `@trpc/server`, and only its types. Such tools report
 * errors of tRPC, not `SluiceError`: their `data` is an `ErrorData`.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: { code: number; message: string; data: ErrorData }; transformer: false },
  RecordOf<ServerCalls>
>;
