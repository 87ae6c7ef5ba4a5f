import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { reopenedText } from '../kit/documents/reopened-text.ts'
import { call } from './client.ts'
import { projectPath } from './place.ts'
import { Refusal } from './refusal.ts'
import { Comment, Comments, type WorkItem } from './schema.ts'
import { tagOf } from './work-item.ts'

/** The newest comments, among which a forgotten one is looked for. */
const LISTED = 200

/**
 * Writes the one comment that says an insight was mentioned after its item was closed, and returns its id. `known`: its id, where it is
 * remembered; otherwise it is found by the tag in its text.
 */
export async function writeComment(
  context: Context,
  organisation: string,
  { id, fields }: WorkItem,
  document: InsightDocument,
  known: number | null,
): Promise<number> {
  const project = fields['System.TeamProject']
  const path = `${projectPath({ organisation, project })}/wit/workItems/${id}/comments`
  const text = commentText(document)
  const existing = known ?? (await findComment(context, path, document.marker))
  if (existing !== null && (await changeComment(context, path, existing, text))) return existing
  const made = await call(context, {
    name: 'comments.add',
    method: 'POST',
    path,
    preview: 'comments',
    json: { text },
    schema: Comment,
  })
  return made.id
}

async function findComment(context: Context, path: string, marker: string): Promise<number | null> {
  const { comments } = await call(context, {
    name: 'comments.list',
    path,
    preview: 'comments',
    query: { $top: LISTED, order: 'desc' },
    schema: Comments,
  })
  // The newest comes first: a later one with the tag quotes ours.
  return comments.findLast(({ text }) => text?.includes(tagOf(marker)))?.id ?? null
}

/** False where someone deleted it. */
async function changeComment(context: Context, path: string, comment: number, text: string): Promise<boolean> {
  try {
    const changed = await call(context, {
      name: 'comments.update',
      method: 'PATCH',
      path: `${path}/${comment}`,
      preview: 'comments',
      json: { text },
      schema: Comment,
    })
    return changed.isDeleted !== true
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return false
    throw error
  }
}

function commentText(document: InsightDocument): string {
  return `<p>${reopenedText(document, 'work item')} <code>${tagOf(document.marker)}</code></p>`
}
