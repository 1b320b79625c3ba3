import type { PictureCodec } from '@sluice/core/attachment';
import type { CodeHost } from '@sluice/core/code-host';

const unasked = () => Promise.reject(new Error('The simulation has no such call.'));

/** The calls of a code host that nothing in the simulation makes. */
export const unaskedCalls = {
  account: unasked,
  repos: unasked,
  issues: unasked,
  pictures: unasked,
  withPicture: unasked,
  replyToComment: unasked,
  reviewThreads: unasked,
  resolveThread: unasked,
  markReady: unasked,
  accountNamed: unasked,
  branchHead: unasked,
  collaborators: unasked,
  compare: unasked,
  failedJobs: unasked,
  changedSince: unasked,
} satisfies Partial<CodeHost>;

/** No issue of the simulation has a picture. */
export const noPictures: PictureCodec = { draw: unasked };
