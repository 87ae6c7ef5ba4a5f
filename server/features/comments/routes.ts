import {
  addComment,
  type Comment,
  deleteComment,
  editComment,
  listComments,
  MAX_COMMENTS,
} from '@groundswell/contract/comments.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { memberNames } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { readInsight, readWithMerged } from '../insights/index.ts'
import { lockMembers } from '../workspaces/index.ts'
import {
  type CommentRow,
  countComments,
  insertComment,
  lockComment,
  readComments,
  removeComment,
  writeComment,
} from './store.ts'

/** Called in the transaction that writes or changes a comment that mentions people other than its author. */
export type CommentHooks = {
  mentioned: (
    tx: Tx,
    caller: Caller,
    where: { issueNumber: number; commentId: string; accountIds: readonly string[] },
  ) => Promise<void>
}

const PAGE = 50

/** The calls on comments, which only people in the workspace make: API keys and shared links have none. */
export function commentRoutes(services: Services, hooks: CommentHooks): Handler[] {
  return [
    handle(listComments, ({ caller, params, query }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        const numbers = await numbersOf(tx, workspaceId, params.issue_number)
        const rows = await readComments(tx, workspaceId, numbers, { before: query.before, limit: PAGE + 1 })
        const names = await memberNames(tx)
        return {
          comments: rows
            .slice(0, PAGE)
            .toReversed()
            .map((row) => commentOf(row, caller, names)),
          total: await countComments(tx, workspaceId, numbers),
          has_earlier: rows.length > PAGE,
        }
      }),
    ),

    handle(addComment, ({ caller, params, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, accountId } = caller
        const issueNumber = params.issue_number
        await lockMembers(tx, workspaceId)
        const names = await memberNames(tx)
        const mentions = mentioned(body.mentions, names)
        if ((await countComments(tx, workspaceId, await numbersOf(tx, workspaceId, issueNumber))) >= MAX_COMMENTS) {
          throw new ContractError('conflict', `This insight already has ${MAX_COMMENTS} comments`)
        }
        const writtenAt = services.now()
        const row = await insertComment(tx, workspaceId, {
          issueNumber,
          accountId,
          text: body.text,
          mentions,
          writtenAt,
        })
        await tell(tx, caller, row, mentions)
        return commentOf(row, caller, names)
      }),
    ),

    handle(editComment, ({ caller, params, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        await lockMembers(tx, workspaceId)
        const before = await requireComment(tx, workspaceId, params.comment_id)
        if (before.accountId !== caller.accountId) {
          throw new ContractError('forbidden', 'Only the person who wrote a comment can change it')
        }
        const names = await memberNames(tx)
        const mentions = mentioned(body.mentions, names)
        const row = { ...before, text: body.text, mentions, editedAt: services.now() }
        await writeComment(tx, workspaceId, row)
        await tell(
          tx,
          caller,
          row,
          mentions.filter((id) => !before.mentions.includes(id)),
        )
        return commentOf(row, caller, names)
      }),
    ),

    handle(deleteComment, ({ caller, params: { comment_id } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const row = await requireComment(tx, caller.workspaceId, comment_id)
        if (!mayDelete(row, caller)) {
          throw new ContractError('forbidden', 'Only the person who wrote a comment or an owner can delete it')
        }
        await removeComment(tx, caller.workspaceId, comment_id)
        return { comment_id }
      }),
    ),
  ]

  async function tell(tx: Tx, caller: Caller, row: CommentRow, mentions: readonly string[]): Promise<void> {
    const accountIds = mentions.filter((id) => id !== caller.accountId)
    if (accountIds.length === 0) return
    await hooks.mentioned(tx, caller, { issueNumber: row.issueNumber, commentId: row.id, accountIds })
  }
}

/** The insight and those that were merged into it. Throws `not_found` unless it is shown. */
async function numbersOf(tx: Tx, workspaceId: string, issueNumber: number): Promise<number[]> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', `There is no insight #${issueNumber}`)
  return readWithMerged(tx, workspaceId, issueNumber)
}

async function requireComment(tx: Tx, workspaceId: string, id: string): Promise<CommentRow> {
  const row = await lockComment(tx, workspaceId, id)
  if (!row) throw new ContractError('not_found', 'This comment no longer exists')
  return row
}

/** Each once. Throws `invalid_input` for somebody who is not in the workspace. */
function mentioned(given: readonly string[], names: ReadonlyMap<string, string>): string[] {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))]
  if (ids.every((id) => names.has(id))) return ids
  throw new ContractError('invalid_input', 'Somebody you mention is not in the workspace')
}

function mayDelete({ accountId }: CommentRow, caller: Caller): boolean {
  return accountId === caller.accountId || caller.role === 'owner'
}

function commentOf(row: CommentRow, caller: Caller, names: ReadonlyMap<string, string>): Comment {
  const personOf = (id: string | null) => {
    const name = id === null ? undefined : names.get(id)
    return id === null || name === undefined ? null : { account_id: id, name }
  }
  return {
    comment_id: row.id,
    author: personOf(row.accountId),
    is_mine: row.accountId === caller.accountId,
    may_delete: mayDelete(row, caller),
    text: row.text,
    mentions: row.mentions.flatMap((id) => personOf(id) ?? []),
    written_at: row.writtenAt.toISOString(),
    edited_at: row.editedAt?.toISOString() ?? null,
  }
}
