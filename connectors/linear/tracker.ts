import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import { documentMarkdown } from '../kit/documents/document-markdown.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { documentTitle, type InsightDocument } from '../kit/documents/insight-document.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus, Tracker } from '../tracker.ts'
import { call } from './client.ts'
import { requestForCustomers } from './customer-requests.ts'
import { dryRun } from './dry-run.ts'
import { attachInsight, writeComment } from './extras.ts'
import { settingsOf, teamOf } from './manifest.ts'
import { ISSUE, ISSUE_CREATE, ISSUE_UNARCHIVE, ISSUE_UPDATE, ISSUES, type Issue, TEAM } from './operations.ts'
import { Missing, NotAllowed } from './refusal.ts'

const GONE = 'The issue no longer exists in Linear'
const CLOSED = new Set(['completed', 'canceled', 'duplicate'])
/** Where a reopened issue goes: the first state of the first of these types that its team has. */
const OPEN_TYPES = ['unstarted', 'backlog', 'triage', 'started']

/** What is remembered of an issue; nothing where it was found again. `requested`: ids of the customers that have a request. */
const Data = z.object({
  attached: z._default(z.boolean(), false),
  commented: z._default(z.boolean(), false),
  requested: z._default(z.array(z.string()), []),
})

/** Issues with an id of our choice, the marker, by which Linear finds them at once. */
export const tracker: Tracker = {
  dryRun,
  findLagSeconds: 0,

  async find(context, marker) {
    const issue = await readIssue(context, marker)
    return issue && remoteOf(issue, {})
  },

  async create(context, { document }) {
    const issue = await createIssue(context, document)
    return remoteOf(issue, {
      attached: await attachInsight(context, issue.id, document),
      requested: await requestForCustomers(context, issue.id, document, []),
    })
  },

  async update(context, remote, { document, reopen, titles }) {
    const before = await readIssue(context, remote.id)
    if (!before || before.trashed) throw new ItemGone(GONE)
    const closed = CLOSED.has(before.state.type)
    const stateId = closed && reopen ? openState(before) : undefined
    if (before.archivedAt !== null && stateId !== undefined) await call(context, ISSUE_UNARCHIVE, { id: remote.id })
    const title = followedTitle(before.title, { document, titles })
    const input = {
      description: documentMarkdown(document),
      ...(title === undefined ? {} : { title }),
      ...(stateId === undefined ? {} : { stateId }),
    }
    const issue = await updateIssue(context, remote.id, input)
    const { attached, commented, requested } = Data.parse(remote.data)
    const isAttached = attached || (await attachInsight(context, issue.id, document))
    const { comment, notice } = await commentOrNotice(commented, async () =>
      closed && stateId === undefined ? writeComment(context, issue.id, document, commented) : commented,
    )
    const data = {
      attached: isAttached,
      commented: comment,
      requested: await requestForCustomers(context, issue.id, document, requested),
    }
    return { ...remoteOf(issue, data), notice }
  },

  async readStatus(context, remotes) {
    if (remotes.length === 0) return []
    const { issues } = await call(context, ISSUES, { ids: remotes.map(({ id }) => id) })
    const found = new Map(issues.nodes.map((issue) => [issue.id, issue]))
    const statuses: RemoteStatus[] = []
    for (const { id } of remotes) {
      // A list may lag behind or omit an issue for other reasons: only the issue itself says that it is gone.
      const issue = found.get(id) ?? (await readIssue(context, id))
      statuses.push(issue ? statusOf(issue) : { id, state: 'gone', name: null })
    }
    return statuses
  },

  async verify(context) {
    const { viewer, team } = await call(context, TEAM, { id: teamOf(context) })
    if (team.archivedAt !== null || team.retiredAt !== null) {
      throw new Rejected('The team no longer takes issues in Linear. Choose another one')
    }
    await verifyWriting(context)
    return `${viewer.name} may write issues in ${team.name}`
  },
}

/** Changes an issue that does not exist: Linear refuses a sign-in that may not write before it looks for the issue. */
async function verifyWriting(context: Context): Promise<void> {
  try {
    await call(context, ISSUE_UPDATE, { id: randomUUID(), input: { description: '' } })
  } catch (error) {
    if (!(error instanceof Rejected) || error instanceof NotAllowed) throw error
  }
}

async function createIssue(context: Context, document: InsightDocument): Promise<Issue> {
  const { project, labels, assignee, state, priority } = settingsOf(context)
  const input = {
    id: document.marker,
    teamId: teamOf(context),
    title: documentTitle(document),
    description: documentMarkdown(document),
    ...(project?.[0] ? { projectId: project[0] } : {}),
    ...(labels?.length ? { labelIds: labels } : {}),
    ...(assignee?.[0] ? { assigneeId: assignee[0] } : {}),
    ...(state?.[0] ? { stateId: state[0] } : {}),
    ...(priority?.[0] ? { priority: Number(priority[0]) } : {}),
  }
  try {
    return (await call(context, ISSUE_CREATE, { input })).issueCreate.issue
  } catch (error) {
    // The id may be taken: by an earlier attempt whose response was lost.
    if (!(error instanceof Rejected) || error instanceof Missing || error instanceof NotAllowed) throw error
    const existing = await readIssue(context, document.marker)
    if (!existing) throw error
    if (existing.trashed) throw new ItemGone(GONE)
    return existing
  }
}

async function updateIssue(context: Context, id: string, input: Record<string, unknown>): Promise<Issue> {
  try {
    return (await call(context, ISSUE_UPDATE, { id, input })).issueUpdate.issue
  } catch (error) {
    throw error instanceof Missing && error.entity === 'Issue' ? new ItemGone(GONE, { cause: error }) : error
  }
}

type IssueWithStates = Issue & { team: { states: { nodes: { id: string; type: string; position: number }[] } } }

async function readIssue(context: Context, id: string): Promise<IssueWithStates | null> {
  try {
    return (await call(context, ISSUE, { id })).issue
  } catch (error) {
    if (error instanceof Missing && error.entity === 'Issue') return null
    throw error
  }
}

function openState({ team }: IssueWithStates): string | undefined {
  const states = team.states.nodes.toSorted((a, b) => a.position - b.position)
  for (const type of OPEN_TYPES) {
    const state = states.find((one) => one.type === type)
    if (state) return state.id
  }
  return undefined
}

/**
 * Linear archives closed issues automatically after a while: they stay closed. An open issue that was archived is out of sight, like
 * one in the trash.
 */
function statusOf({ id, state, trashed, archivedAt }: Issue): RemoteStatus {
  if (trashed) return { id, state: 'gone', name: null }
  if (CLOSED.has(state.type)) {
    return { id, state: 'closed', name: state.name, ...(state.type === 'completed' ? {} : { declined: true }) }
  }
  return archivedAt === null ? { id, state: 'open', name: state.name } : { id, state: 'gone', name: null }
}

function remoteOf(issue: Issue, data: RemoteItem['data']): RemoteItem {
  const { id, state, name, ...declined } = statusOf(issue)
  const { url, identifier: label, title } = issue
  return { id, url, label, title, status: state, statusName: name, ...declined, data }
}
