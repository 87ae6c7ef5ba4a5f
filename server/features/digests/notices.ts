import { memberNames } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import { oneLine } from '../../platform/one-line.ts'
import type { Services } from '../../platform/services.ts'
import { type CommentHooks, readComment } from '../comments/index.ts'
import { type AssignmentHooks, readAssignedTo, readCurrentNumber, readShownInsights } from '../insights/index.ts'
import type { DigestPart } from './content.ts'
import { addNotices, type Notice } from './notice-store.ts'
import { addMail } from './store.ts'
import { ASSIGNED_TITLE } from './write.ts'

/** How long a mail waits, so that several assignments are combined, and those undone in the meantime are left out. */
const WAIT_MS = 60_000
const SHOWN = 20
const MAX_QUOTE = 300

/** Mails to people who are assigned something or mentioned by somebody else. Without a mail server there are none. */
export function notices(services: Services): AssignmentHooks & CommentHooks {
  const add = async (tx: Tx, caller: Caller, found: (Omit<Notice, 'madeBy'> & { accountId: string })[]) => {
    if (!mailIsOn(services)) return
    const { workspaceId, accountId: madeBy } = caller
    const now = services.now()
    const accounts = await addNotices(
      tx,
      workspaceId,
      found.map((one) => ({ ...one, madeBy })),
      now,
    )
    const dueAt = new Date(now.getTime() + WAIT_MS)
    for (const accountId of accounts) {
      await addMail(tx, workspaceId, { accountId, kind: 'notice', since: now }, now, dueAt)
    }
  }
  return {
    assigned: (tx, caller, changes) =>
      add(
        tx,
        caller,
        changes.map((one) => ({ ...one, kind: 'assigned', commentId: null })),
      ),
    mentioned: (tx, caller, { issueNumber, commentId, accountIds }) =>
      add(
        tx,
        caller,
        accountIds.map((accountId) => ({ accountId, kind: 'mentioned', issueNumber, commentId })),
      ),
  }
}

/**
 * Notices as the parts of a mail, as things are now: notices that no longer apply to the person are left out, as are
 * insights that are not shown any more. Null: nothing is left.
 */
export async function viewNotices(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  taken: readonly Notice[],
): Promise<DigestPart[] | null> {
  const numbers = new Map<number, number>()
  for (const { issueNumber } of taken) {
    const current = numbers.has(issueNumber) ? null : await readCurrentNumber(tx, workspaceId, issueNumber)
    if (current !== null) numbers.set(issueNumber, current)
  }
  const current = [...new Set(numbers.values())]
  const shown = await readShownInsights(tx, workspaceId, { numbers: current })
  const names = new Map(shown.map((one) => [one.issue_number, one.issue_name]))
  const people = await memberNames(tx)
  const nameOf = (id: string) => people.get(id) ?? 'a former member'
  const left = new Set(await readAssignedTo(tx, workspaceId, accountId, current))
  const assigned: DigestPart['lines'] = []
  const mentioned: DigestPart['lines'] = []
  // Of several assignments of the same insight the last one counts.
  for (const { kind, issueNumber, madeBy } of taken.toReversed()) {
    const number = numbers.get(issueNumber)
    const name = number === undefined ? undefined : names.get(number)
    if (kind !== 'assigned' || number === undefined || name === undefined || !left.delete(number)) continue
    assigned.unshift({ number, name, note: `by ${nameOf(madeBy)}` })
  }
  for (const { commentId, issueNumber } of taken) {
    const comment = commentId === null ? null : await readComment(tx, workspaceId, commentId)
    const number = numbers.get(issueNumber)
    const name = number === undefined ? undefined : names.get(number)
    if (!comment?.mentions.includes(accountId) || number === undefined || name === undefined) continue
    mentioned.push({ number, name, note: `${nameOf(comment.accountId ?? '')}: “${oneLine(comment.text, MAX_QUOTE)}”` })
  }
  const part = (title: string, counted: string, lines: DigestPart['lines']): DigestPart => ({
    title,
    counted,
    lines: lines.slice(0, SHOWN),
    more: Math.max(0, lines.length - SHOWN),
  })
  const parts = [
    part(ASSIGNED_TITLE, 'assigned to you', assigned),
    {
      ...part('You were mentioned', mentioned.length === 1 ? 'mention' : 'mentions', mentioned),
      tab: 'activity' as const,
    },
  ].filter(({ lines }) => lines.length > 0)
  return parts.length === 0 ? null : parts
}
