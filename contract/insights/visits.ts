import * as z from 'zod/mini'
import { route } from '../route.ts'
import { MemberChange } from '../values/member-change.ts'

/**
 * `since`: when the person's previous visit ended; null during the first. A visit ends after 30 minutes without this call, so that
 * reloading the page does not begin another. At most 30 days before today.
 */
export const noteVisit = route({
  name: 'noteVisit',
  summary: 'Record that the caller is looking at the insights; returns the time from which to catch up',
  method: 'POST',
  path: '/api/insights/visit',
  access: 'person',
  audit: 'none',
  reply: z.object({ since: z.nullable(z.string()) }),
  errors: [],
})

const Numbers = z.array(z.int())

/**
 * What changed after `since`, by issue numbers. `changed`: how the mentions of each insight changed in which any did, as in `MemberChange`; absent in replies of earlier versions.
 * `added`: those of them that arrived, for each insight that got any. `new`: insights that were created. `growing`: it has more mentions than at `since`, at
 * least 3 arrived, and at least a third more than were made in the same period before `since`. `quiet`: the newest mention
 * became two weeks old, and each of the four weeks before it had one. `regressed`, `resolved`: insights with that status since then. A new insight is
 * only in `new`; otherwise an insight is in every group that applies. A `since` of more than 31 days ago counts as 31 days ago: the reply has the one
 * that was used.
 */
export const listChanges = route({
  name: 'listChanges',
  summary: 'The insights that changed after a time, by what happened to them; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/changes',
  access: 'viewer',
  scope: 'read',
  query: z.object({ since: z.iso.datetime({ offset: true }) }),
  reply: z.object({
    since: z.string(),
    added: z.array(z.object({ issue_number: z.int(), count: z.int() })),
    changed: z.optional(z.array(z.extend(MemberChange, { issue_number: z.int() }))),
    new: Numbers,
    growing: Numbers,
    quiet: Numbers,
    regressed: Numbers,
    resolved: Numbers,
  }),
  errors: ['invalid_input'],
  example: () => ({ query: { since: '2026-01-01T00:00:00Z' } }),
})
