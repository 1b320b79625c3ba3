/** What may be said of each call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time for the answer in milliseconds, instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** Reads. */
export interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>;
}

/** Changes. */
export interface Mutation<Input, Output> {
  mutate(input: Input, options?: CallOptions): Promise<Output>;
}

/** Follows, over Server-Sent Events. A lost connection is taken up again after the last event that was seen. */
export interface Subscription<Input, Event> {
  subscribe(input: Input, listener: StreamListener<Event>): { unsubscribe(): void };
}

/** `lost` until the stream is taken up again, by itself. */
export type Connection = 'connecting' | 'open' | 'lost';

export interface StreamListener<Event> {
  /** `id` is there for what is kept, and not for what is only live. */
  onData(message: { readonly id?: string; readonly data: Event }): void;
  /** The server refused the stream, or something else than a server answered: it does not go on. */
  onError?(error: unknown): void;
  /** Nothing more will come. */
  onComplete?(): void;
  onConnection?(state: Connection): void;
}
