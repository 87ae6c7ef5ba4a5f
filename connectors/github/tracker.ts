import type { Context } from '../connector.ts'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import { documentMarkdown } from '../kit/documents/document-markdown.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { documentTitle } from '../kit/documents/insight-document.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import type { RemoteItem, Tracker } from '../tracker.ts'
import { call } from './client.ts'
import { dryRun } from './dry-run.ts'
import { currentPlace, issuePath, listIssues, placeOf, readIssue, remoteOf } from './issues.ts'
import { repositoryOf, settingsOf } from './manifest.ts'
import { readStatus } from './read-status.ts'
import { NOT_WRITABLE, Refusal } from './refusal.ts'
import { inRepository, ledgerOf, pathOf } from './repository.ts'
import { writeComment } from './rolling-comment.ts'
import { Issue } from './schema.ts'
import { verify } from './verify.ts'

/** GitHub's lists may not show an issue at once. */
const LIST_LAG_SECONDS = 60
/** What was created by an attempt of unknown outcome is among the newest issues of its creator. */
const MAX_SEARCHED = 2000

/** Issues with the marker in their text: hidden in a comment of the Markdown. */
export const tracker: Tracker = {
  dryRun,
  findLagSeconds: LIST_LAG_SECONDS,

  async find(context, marker) {
    try {
      return await search(context, marker, settingsOf(context).login)
    } catch (error) {
      // GitHub no longer knows the name of the creator, who was renamed.
      if (error instanceof Refusal && error.why === 'invalid') return await search(context, marker, null)
      throw error
    }
  },

  async create(context, { document }) {
    const { labels, assignee } = settingsOf(context)
    const json = {
      title: documentTitle(document),
      body: documentMarkdown(document, { hiddenMarker: true }),
      ...(labels?.length ? { labels } : {}),
      ...(assignee?.length ? { assignees: assignee } : {}),
    }
    const path = `${pathOf(repositoryOf(context))}/issues`
    const issue = await inRepository(() =>
      call(context, { method: 'POST', name: 'issues.create', path, json, schema: Issue }),
    )
    return remoteOf(issue, null)
  },

  async update(context, remote, { document, reopen, titles }) {
    const { repository, number, comment } = placeOf(remote)
    const before = await readIssue(context, { id: remote.id, repository, number })
    const title = followedTitle(before.title, { document, titles })
    const issue = await changeIssue(context, before, {
      ...(title === undefined ? {} : { title }),
      body: documentMarkdown(document, { hiddenMarker: true }),
      ...(reopen ? { state: 'open' } : {}),
    })
    if (issue.state !== 'closed') return remoteOf(issue, comment)
    const write = () => writeComment(context, issue, document, comment)
    const { comment: written, notice } = await commentOrNotice(comment, write)
    return { ...remoteOf(issue, written), notice }
  },

  readStatus,

  verify,
}

async function search(context: Context, marker: string, creator: string | null): Promise<RemoteItem | null> {
  for await (const issue of listIssues(context, repositoryOf(context), { creator, limit: MAX_SEARCHED })) {
    if (issue.body?.includes(marker)) return remoteOf(issue, null)
  }
  return null
}

/** Changes an issue that was just read: where GitHub does not find it, it hides that the sign-in may not write. */
async function changeIssue(
  context: Context,
  before: Issue,
  json: { body: string; title?: string; state?: 'open' },
): Promise<Issue> {
  const path = issuePath(currentPlace(before))
  try {
    return await call(context, { method: 'PATCH', name: 'issues.update', path, json, schema: Issue })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.why === 'deleted') throw new ItemGone('The issue was deleted on GitHub', { ledger: ledgerOf(error) })
    if (error.why === 'missing') throw new Rejected(NOT_WRITABLE, { ledger: ledgerOf(error) })
    throw error
  }
}
