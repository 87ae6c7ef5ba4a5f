import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { documentMarkdown } from '../kit/document-markdown.ts'
import { Rejected } from '../kit/errors.ts'
import { documentTitle } from '../kit/insight-document.ts'
import type { Tracker } from '../tracker.ts'
import { call } from './client.ts'
import { issuePath, ownIssues, placeOf, remoteOf } from './issues.ts'
import { repositoryOf, settingsOf } from './manifest.ts'
import { readStatus } from './read-status.ts'
import { Refusal } from './refusal.ts'
import { inRepository, onIssue, pathOf, readRepository } from './repository.ts'
import { writeComment } from './rolling-comment.ts'
import { Issue } from './schema.ts'

/** GitHub's lists may not show an issue at once. */
const LIST_LAG_SECONDS = 60
/** What was created by an attempt of unknown outcome is among the newest issues of its creator. */
const MAX_SEARCHED = 2000

/** Issues with the marker in their text: hidden in a comment of the Markdown. */
export const tracker: Tracker = {
  findLagSeconds: LIST_LAG_SECONDS,

  async find(context, marker) {
    for await (const issue of ownIssues(context, repositoryOf(context), MAX_SEARCHED)) {
      if (issue.body?.includes(marker)) return remoteOf(issue, null)
    }
    return null
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

  async update(context, remote, { document, reopen }) {
    const { repository, number, comment } = placeOf(remote)
    return await onIssue(context, repository, async () => {
      const issue = await call(context, {
        method: 'PATCH',
        name: 'issues.update',
        path: issuePath({ repository, number }),
        json: { body: documentMarkdown(document, { hiddenMarker: true }), ...(reopen ? { state: 'open' } : {}) },
        schema: Issue,
      })
      return remoteOf(issue, issue.state === 'closed' ? await writeComment(context, issue, document, comment) : comment)
    })
  },

  readStatus,

  async verify(context) {
    const { full_name, has_issues, archived } = await readRepository(context, repositoryOf(context))
    if (archived) throw new Rejected(`${full_name} is archived on GitHub: choose another repository`)
    if (!has_issues) throw new Rejected(`Issues are switched off in ${full_name}: switch them on in its settings`)
    await verifyWriting(context, full_name)
    return `${settingsOf(context).login} may write issues in ${full_name}`
  },
}

/** Requests an issue without a title, which GitHub refuses: with 403 or 404 where the sign-in may not create issues, with 422 otherwise. */
async function verifyWriting(context: Context, repository: string): Promise<void> {
  try {
    await inRepository(() =>
      call(context, {
        method: 'POST',
        name: 'issues.create',
        path: `${pathOf(repository)}/issues`,
        json: {},
        schema: z.unknown(),
      }),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.why !== 'invalid') throw error
  }
}
