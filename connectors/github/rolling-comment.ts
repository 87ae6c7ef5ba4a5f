import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { reopenedText } from '../kit/documents/reopened-text.ts'
import { call } from './client.ts'
import { currentPlace, issuePath } from './issues.ts'
import { entries, type PageQuery } from './pages.ts'
import { Refusal } from './refusal.ts'
import { pathOf } from './repository.ts'
import { Comment, Comments, type Issue } from './schema.ts'

/** Comments of an issue that are searched for ours. */
const MAX_COMMENTS = 1000

/**
 * Says on a closed issue that its insight was mentioned again, in one comment that changes with each update. `known` is its id, if it is
 * stored; otherwise it is found by its hidden marker. Returns its id. Throws where GitHub refuses comments, such as on a locked issue.
 */
export async function writeComment(
  context: Context,
  issue: Issue,
  document: InsightDocument,
  known: number | null,
): Promise<number> {
  const body = commentText(document)
  if (known !== null && (await changeComment(context, issue, known, body))) return known
  const found = issue.comments > 0 ? await findComment(context, issue, document.marker) : null
  if (found !== null && found !== known && (await changeComment(context, issue, found, body))) return found
  const json = { body }
  const path = commentsPath(issue)
  return (await call(context, { method: 'POST', name: 'issues.createComment', path, json, schema: Comment })).id
}

function commentText(document: InsightDocument): string {
  return `${reopenedText(document, 'issue')}\n\n${hiddenMarker(document.marker)}`
}

const hiddenMarker = (marker: string) => `<!-- insight-comment:${marker.replace(/[^\w-]/g, '').slice(0, 64)} -->`

const commentsPath = (issue: Issue) => `${issuePath(currentPlace(issue))}/comments`

/** False where someone deleted it. */
async function changeComment(context: Context, issue: Issue, id: number, body: string): Promise<boolean> {
  const path = `${pathOf(currentPlace(issue).repository)}/issues/comments/${id}`
  try {
    await call(context, { method: 'PATCH', name: 'issues.updateComment', path, json: { body }, schema: Comment })
    return true
  } catch (error) {
    if (error instanceof Refusal && ['missing', 'deleted'].includes(error.why)) return false
    throw error
  }
}

async function findComment(context: Context, issue: Issue, marker: string): Promise<number | null> {
  const path = commentsPath(issue)
  const read = (page: PageQuery) =>
    call(context, { name: 'issues.listComments', path, query: { ...page }, schema: Comments })
  for await (const { id, body } of entries(read, MAX_COMMENTS)) {
    if (body?.includes(hiddenMarker(marker))) return id
  }
  return null
}
