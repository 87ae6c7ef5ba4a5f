import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { reopenedOpening, reopenedText } from '../kit/documents/reopened-text.ts'
import { call, path } from './client.ts'
import { Missing, NoAccess } from './refusal.ts'
import { Comment, Comments } from './schema.ts'

const OPENING = reopenedOpening('task')

/** ClickUp's page of comments, newest first. */
const PAGE = 25
const MAX_PAGES = 40

/**
 * Writes the one comment that says an insight was mentioned after its task was closed, and returns its id. `known`: the id from last
 * time. Without it, the comment is searched for, in case the response to its creation was lost.
 */
export async function writeComment(
  context: Context,
  taskId: string,
  document: InsightDocument,
  known: string | null,
): Promise<string> {
  const text = reopenedText(document, 'task')
  const id = known ?? (await findComment(context, taskId))
  if (id !== null && (await changeComment(context, id, text))) return id
  const created = await call(context, {
    method: 'POST',
    name: 'task/comment',
    path: path`/task/${taskId}/comment`,
    json: { comment_text: text, notify_all: false },
    schema: Comment,
    subject: 'task',
  })
  return created.id
}

async function findComment(context: Context, taskId: string): Promise<string | null> {
  let after: Record<string, string> = {}
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { comments } = await call(context, {
      method: 'GET',
      name: 'task/comment',
      path: path`/task/${taskId}/comment`,
      query: after,
      schema: Comments,
      subject: 'task',
    })
    const own = comments.find(({ comment_text }) => comment_text?.startsWith(OPENING))
    if (own) return own.id
    const last = comments.at(-1)
    if (!last?.date || comments.length < PAGE) return null
    after = { start: last.date, start_id: last.id }
  }
  return null
}

/** False where someone deleted it, or may no longer change it. */
async function changeComment(context: Context, id: string, text: string): Promise<boolean> {
  try {
    await call(context, {
      method: 'PUT',
      name: 'comment',
      path: path`/comment/${id}`,
      json: { comment_text: text },
      schema: z.unknown(),
      subject: 'comment',
    })
    return true
  } catch (error) {
    if (error instanceof Missing || error instanceof NoAccess) return false
    throw error
  }
}
