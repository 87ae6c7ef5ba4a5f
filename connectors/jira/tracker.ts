import { documentTitle } from '../kit/documents/insight-document.ts'
import type { Tracker } from '../tracker.ts'
import { call } from './client.ts'
import { createIssue, labelOf, MAX_TITLE } from './create-issue.ts'
import { dryRun } from './dry-run.ts'
import { Found } from './schema.ts'
import { browseUrl, remoteIdOf, siteOf } from './site.ts'
import { ITEM_FIELDS, readStatuses, remoteOf } from './status.ts'
import { updateIssue } from './update-issue.ts'
import { verify } from './verify.ts'

/** Jira's search may not show an issue at once. */
const SEARCH_LAG_SECONDS = 60

export const tracker: Tracker = {
  dryRun,
  findLagSeconds: SEARCH_LAG_SECONDS,

  /** By the label alone: the issue may have been moved, or another project chosen, since it was created. */
  async find(context, marker) {
    const site = siteOf(context)
    // Nothing but letters, digits and hyphens may become a part of the query.
    const label = labelOf(marker.replace(/[^A-Za-z0-9-]/g, ''))
    const { issues } = await call(context, site, {
      name: 'search/jql',
      method: 'POST',
      path: '/search/jql',
      json: { jql: `labels = "${label}" ORDER BY created ASC`, fields: ITEM_FIELDS, maxResults: 1 },
      schema: Found,
    })
    const [issue] = issues
    return issue ? remoteOf(site, issue, {}) : null
  },

  /** A new issue's status is not part of Jira's response, and is read with the next poll. */
  async create(context, { document }) {
    const site = siteOf(context)
    const { id, key } = await createIssue(context, site, document)
    return {
      id: remoteIdOf(site, id),
      url: browseUrl(site, key),
      label: key,
      title: documentTitle(document, MAX_TITLE),
      status: 'open',
      statusName: null,
      data: {},
    }
  },

  update: updateIssue,

  readStatus: (context, remotes) =>
    remotes.length === 0
      ? Promise.resolve([])
      : readStatuses(
          context,
          remotes.map(({ id }) => id),
        ),

  verify,
}
