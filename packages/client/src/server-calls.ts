// What the server's router says, as types, in one place: a build puts declarations here that stand on their own.
import type { AppRouter, ErrorCode } from '@sluice/api';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { Mutation, Query, Subscription } from './call.ts';

type Record = AppRouter['_def']['record'];
type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

type Called<Kind, Input, Output> = Kind extends 'query'
  ? Query<Input, Answer<Output>>
  : Kind extends 'mutation'
    ? Mutation<Input, Answer<Output>>
    : Subscription<Input, Streamed<Output>>;

/** What has no body comes out of the library's types as something that never returns. */
type Answer<Output> = [Output] extends [never] ? undefined : Output;

type Streamed<T> = T extends AsyncIterable<infer Envelope extends { data: unknown }> ? Envelope['data'] : never;

/** What a browser opens, and is redirected by. */
type Pages = 'startCodehostCliLogin' | 'confirmCodehostCliLogin' | 'finishCodehostLogin';

/** REST takes a decision on a plan without its revision. A typed program always says which plan was seen. */
interface Seen {
  revision: number;
}

type CallsOf<Node, Input, Output> = {
  readonly [Name in Exclude<keyof Node & keyof Input & keyof Output, Pages>]: Node[Name] extends {
    _def: { type: infer Kind };
  }
    ? Called<Kind, Name extends 'approve' ? Input[Name] & Seen : Input[Name], Output[Name]>
    : CallsOf<Node[Name], Input[Name], Output[Name]>;
};

/** Every procedure of the server, by its name. */
export type ServerCalls = CallsOf<Record, Inputs, Outputs>;

/** The stable words by which the server names its refusals. */
export type ServerErrorCode = ErrorCode;

/** A written event of one of the user's issues, or the first word of a stream that begins now. */
export type FollowedEvent = Streamed<Outputs['events']['watch']>;

/** A written event of an issue, or live text of it. */
export type WatchedEvent = Streamed<Outputs['issues']['events']>;

export type Issue = Outputs['issues']['get'];
export type Repo = Outputs['repos']['get'];
export type Profile = Outputs['auth']['me'];
