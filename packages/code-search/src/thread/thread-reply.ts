/**
 * What a thread says. `up`: it hears what it is asked from now on. `lost`: what it knew of the work is gone, starting over
 * helps. `spent` asks for another thread in the place of this one. `rebuilt`: a damaged database was thrown away.
 */
export type ThreadReply =
  | { readonly id: number; readonly value: unknown; readonly spent?: boolean }
  | { readonly id: number; readonly failure: 'lost' | 'failed'; readonly reason: string }
  | { readonly rebuilt: string }
  | { readonly up: true };
