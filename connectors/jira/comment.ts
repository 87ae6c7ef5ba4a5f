import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import type { AdfDocument } from '../kit/documents/document-adf.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import { reopenedText } from '../kit/documents/reopened-text.ts'
import { Rejected } from '../kit/errors.ts'
import { call, JiraRefusal, unlessMissing } from './client.ts'
import { Comment, Comments } from './schema.ts'
import type { IssueRef } from './site.ts'

/** Hides a comment from customers of a service project, where comments are public by default. Elsewhere it has no effect. */
const INTERNAL = [{ key: 'sd.public.comment', value: { internal: true } }]

const NOT_ALLOWED = 'The sign-in lacks the permission “Add comments” in the project in Jira'

const Known = z.object({ comment: z.string().check(z.regex(/^\d{1,18}$/)) })

/**
 * Writes the one comment that says an insight was mentioned after its issue was closed, and returns its id. A comment whose id was not
 * recorded is found by the marker in its text.
 */
export async function writeComment(
  context: Context,
  { site, issue }: IssueRef,
  document: InsightDocument,
  data: Record<string, unknown>,
): Promise<string> {
  const body = commentOf(document)
  const path = `/issue/${issue}/comment`
  const known = Known.safeParse(data).data?.comment ?? (await findComment(context, { site, issue }, document.marker))
  if (known !== null) {
    const work = call(context, site, {
      name: 'comment/update',
      method: 'PUT',
      path: `${path}/${known}`,
      json: { body },
      schema: Comment,
    })
    if (await unlessMissing(work)) return known
  }
  const json = { body, properties: INTERNAL }
  try {
    return (await call(context, site, { name: 'comment/add', method: 'POST', path, json, schema: Comment })).id
  } catch (error) {
    if (!(error instanceof JiraRefusal) || error.status !== 403) throw error
    throw new Rejected(NOT_ALLOWED, { ledger: error.ledger, cause: error })
  }
}

async function findComment(context: Context, { site, issue }: IssueRef, marker: string): Promise<string | null> {
  const { comments } = await call(context, site, {
    name: 'comments',
    path: `/issue/${issue}/comment`,
    query: { orderBy: '-created', maxResults: 100 },
    schema: Comments,
    ledger: false,
  })
  return comments.find(({ body }) => JSON.stringify(body ?? null).includes(marker))?.id ?? null
}

function commentOf(document: InsightDocument): AdfDocument {
  return {
    type: 'doc',
    version: 1,
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: reopenedText(document, 'issue') }] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Insight ' },
          { type: 'text', text: document.marker, marks: [{ type: 'code' }] },
        ],
      },
    ],
  }
}
