import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import { call, path } from './client.ts'
import { Missing, NoAccess } from './refusal.ts'
import { Comment, Comments } from './schema.ts'

const OPENING = 'Customers mentioned this again after the task was closed: '

/**
 * Writes the one comment that says an insight was mentioned after its task was closed, and returns its id. `known`: the id from last
 * time. Without it, the comment is searched for among the newest ones, in case the response to its creation was lost.
 */
export async function writeComment(
  context: Context,
  taskId: string,
  document: InsightDocument,
  known: string | null,
): Promise<string> {
  const text = commentText(document)
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
  const { comments } = await call(context, {
    method: 'GET',
    name: 'task/comment',
    path: path`/task/${taskId}/comment`,
    schema: Comments,
    subject: 'task',
  })
  return comments.find(({ comment_text }) => comment_text?.startsWith(OPENING))?.id ?? null
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

function commentText({ counts, updated }: InsightDocument): string {
  const mentions = counts.mentions === 1 ? '1 mention' : `${counts.mentions} mentions`
  const people = counts.people === 1 ? '1 person' : `${counts.people} people`
  return `${OPENING}${mentions} from ${people} in total, as of ${updated.toISOString().slice(0, 10)}.`
}
