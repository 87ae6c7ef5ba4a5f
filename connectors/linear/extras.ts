import type { Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { reopenedText } from '../kit/documents/reopened-text.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { derivedId } from './derived-id.ts'
import { ATTACHMENT_CREATE, COMMENT_CREATE, COMMENT_UPDATE } from './operations.ts'
import { NotAllowed } from './refusal.ts'

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
 * it is found again without being remembered. Returns false where Linear accepts neither: someone deleted it. A sign-in that may not
 * write comments is a failure.
 */
export async function writeComment(
  context: Context,
  issueId: string,
  document: InsightDocument,
  exists: boolean,
): Promise<boolean> {
  const id = derivedId('comment', document.marker)
  const body = reopenedText(document, 'issue')
  const create = () => call(context, COMMENT_CREATE, { input: { id, issueId, body, doNotSubscribeToIssue: true } })
  const update = () => call(context, COMMENT_UPDATE, { id, input: { body } })
  for (const attempt of exists ? [update, create] : [create, update]) {
    if (await isAccepted(attempt)) return true
  }
  context.log.warn({}, 'the comment of an issue could not be written')
  return false
}

async function isAccepted(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt()
    return true
  } catch (error) {
    if (!(error instanceof Rejected) || error instanceof NotAllowed) throw error
    return false
  }
}
