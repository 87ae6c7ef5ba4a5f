import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import type { RemoteItem, TrackerRequest } from '../tracker.ts'
import { call, JiraRefusal, unlessMissing } from './client.ts'
import { writeComment } from './comment.ts'
import { descriptionOf, MAX_TITLE } from './create-issue.ts'
import { Issue, type Status, Transitions } from './schema.ts'
import { type IssueRef, issueOf } from './site.ts'
import { ITEM_FIELDS, isDone, remoteOf } from './status.ts'

const GONE = 'The issue no longer exists in Jira, or the sign-in cannot see it'

/**
 * Replaces the description, and the summary where it follows. A closed issue is reopened or, where that is not wanted or not possible, gets the one comment. Many
 * workflows allow no changes of a closed issue: then only the comment is written. Where Jira refuses the comment, the update continues.
 */
export async function updateIssue(
  context: Context,
  remote: RemoteItem,
  { document, reopen, titles }: TrackerRequest,
): Promise<RemoteItem> {
  const ref = issueOf(context, remote.id)
  const before = await readIssue(context, ref)
  const reopened = isDone(before.fields.status) && reopen ? await reopenIssue(context, ref) : null
  const status = reopened ?? before.fields.status
  const closed = isDone(status)
  const title = followedTitle(before.fields.summary ?? '', { document, titles }, MAX_TITLE)
  const texts = { description: descriptionOf(document), ...(title === undefined ? {} : { summary: title }) }
  const written = await writeTexts(context, ref, texts, closed)
  const now = {
    ...before,
    fields: { ...before.fields, ...(written.summary === undefined ? {} : { summary: written.summary }), status },
  }
  if (!closed) return remoteOf(ref.site, now, remote.data)
  const { comment: data, notice } = await commentOrNotice(remote.data, async () => ({
    ...remote.data,
    comment: await writeComment(context, ref, document, remote.data),
  }))
  return { ...remoteOf(ref.site, now, data), notice }
}

async function readIssue(context: Context, { site, issue }: IssueRef): Promise<Issue> {
  const work = call(context, site, {
    name: 'issue',
    path: `/issue/${issue}`,
    query: { fields: ITEM_FIELDS.join(',') },
    schema: Issue,
  })
  const found = await unlessMissing(work)
  if (found === null) throw new ItemGone(GONE)
  return found
}

/** The status after the first transition out of the closed ones that needs no input. Null: there is none, or Jira refuses it. */
async function reopenIssue(context: Context, { site, issue }: IssueRef): Promise<Status | null> {
  const path = `/issue/${issue}/transitions`
  const { transitions } = await call(context, site, {
    name: 'issue/transitions',
    path,
    query: { expand: 'transitions.fields' },
    schema: Transitions,
  })
  const transition = transitions.find(
    ({ to, isAvailable, fields }) =>
      to &&
      !isDone(to) &&
      isAvailable !== false &&
      Object.values(fields ?? {}).every(({ required, hasDefaultValue }) => !required || hasDefaultValue === true),
  )
  if (!transition?.to) return null
  try {
    await call(context, site, {
      name: 'issue/transition',
      method: 'POST',
      path,
      json: { transition: { id: transition.id } },
      schema: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error
    context.log.warn({ status: error.status }, 'Jira refused to reopen an issue: it gets a comment instead')
    return null
  }
  return transition.to
}

type Texts = { description: unknown; summary?: string }

/** Returns the written fields. A summary that is on no edit screen stays as it is. */
async function writeTexts(context: Context, ref: IssueRef, texts: Texts, closed: boolean): Promise<Partial<Texts>> {
  const { site, issue } = ref
  try {
    await call(context, site, {
      name: 'issue/edit',
      method: 'PUT',
      path: `/issue/${issue}`,
      json: { fields: texts },
      schema: z.unknown(),
    })
    return texts
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error
    const { status, fields, ledger } = error
    if (texts.summary !== undefined && fields.includes('summary'))
      return writeTexts(context, ref, { description: texts.description }, closed)
    if (status === 404) throw new ItemGone(GONE, { ledger, cause: error })
    if (closed && (status === 400 || status === 403)) {
      context.log.info({ status }, 'the description of a closed issue could not be changed')
      return {}
    }
    if (!fields.includes('description')) throw error
    throw new Rejected('Jira refused the description. Check that the field is on the edit screen of the issue type', {
      ledger,
      cause: error,
    })
  }
}
