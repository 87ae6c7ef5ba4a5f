import { defineCache } from '../../platform/caches.ts'
import { RetryLater } from '../../platform/http/errors.ts'
import { Lines } from '../../platform/shares/lines.ts'

/** Lists of a workspace that are read or wait while another one is. */
const MOST = 4
const RETRY_SECONDS = 5

/** Reading a list takes seconds of CPU time, in slices between which others are answered: a workspace takes one share of it. */
export const oneListAtATime = defineCache(
  'lists of customers',
  () =>
    new Lines(MOST, () => {
      const message = 'Other lists of this workspace are being read: try again when that is done'
      return new RetryLater('too_many_requests', message, RETRY_SECONDS)
    }),
)
