import type { Context } from '../connector.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import { call } from './client.ts'
import { derivedId } from './derived-id.ts'
import { ATTACHMENT_CREATE, COMMENT_CREATE, COMMENT_UPDATE } from './operations.ts'

/**
 * Shows the insight among the issue's links; Linear keeps one attachment for each address. Returns whether it is there. A failure only
 * costs the attachment, because the description contains the link too, so that it never makes a created issue look lost.
 */
export async function attachInsight(context: Context, issueId: string, { link }: InsightDocument): Promise<boolean> {
  if (link === null) return false
  try {
    await call(context, ATTACHMENT_CREATE, { input: { issueId, url: link, title: 'Insight in Groundswell' } })
    return true
  } catch (error) {
    if (!isConnectorFailure(error)) throw error
    context.log.warn({ kind: error.kind }, 'an insight could not be attached to its issue')
    return false
  }
}

/**
 * Writes the one comment that says an insight was mentioned after its issue was closed. Its id is derived from the marker, so that
 * it is found again without being remembered. Returns false where Linear accepts neither: someone deleted it.
 */
export async function writeComment(
  context: Context,
  issueId: string,
  document: InsightDocument,
  exists: boolean,
): Promise<boolean> {
  const id = derivedId('comment', document.marker)
  const body = commentText(document)
  const create = () => call(context, COMMENT_CREATE, { input: { id, issueId, body, doNotSubscribeToIssue: true } })
  const update = () => call(context, COMMENT_UPDATE, { id, input: { body } })
  const [likely, other] = exists ? [update, create] : [create, update]
  try {
    await likely()
    return true
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
  }
  try {
    await other()
    return true
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    context.log.warn({ kind: error.kind }, 'the comment of an issue could not be written')
    return false
  }
}

function commentText({ counts, updated }: InsightDocument): string {
  const mentions = counts.mentions === 1 ? '1 mention' : `${counts.mentions} mentions`
  const people = counts.people === 1 ? '1 person' : `${counts.people} people`
  const day = updated.toISOString().slice(0, 10)
  return `Customers mentioned this again after the issue was closed: ${mentions} from ${people} in total, as of ${day}.`
}
