/**
 * A message of a thread. `up`: it hears requests from now on. `lost`: its knowledge of the work is gone, starting over
 * helps. `spent` asks for another thread in the place of this one. `rebuilt`: a damaged database was thrown away.
 */
export type ThreadReply =
  | { readonly id: number; readonly value: unknown; readonly spent?: boolean }
  | { readonly id: number; readonly failure: 'lost' | 'failed'; readonly reason: string }
  | { readonly rebuilt: string }
  | { readonly up: true };
