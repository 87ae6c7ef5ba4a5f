import { ContractError } from '@groundswell/contract/errors.ts'
import { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { listAttributeInsights, listAttributes } from '@groundswell/contract/insights/attributes.ts'
import { getInsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { getOverview } from '@groundswell/contract/insights/overview.ts'
import { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import { listThemes } from '@groundswell/contract/insights/themes.ts'
import { listChanges } from '@groundswell/contract/insights/visits.ts'
import { type Insight, InsightStatus, listEvidence, listInsights } from '@groundswell/contract/insights.ts'
import { finder, searchable } from '@groundswell/contract/values/fold-text.ts'
import * as z from 'zod/mini'
import { pageOf } from './pages.ts'
import { showFound, showInsight, showMention, showNamed, showTheme } from './shown.ts'
import { Cursor, IssueNumber, pageSize, saying, type Tool, type ToolContext, tool } from './tool.ts'

const DAY_MS = 86_400_000
const GROUPS = ['new', 'growing', 'quiet', 'regressed', 'resolved'] as const

const searchTool = tool({
  name: 'search_feedback',
  title: 'Search feedback',
  description:
    'Finds customer messages by words, newest first, or by meaning, the best match first, whether or not they are in an insight. A page may be short or empty without being the last: continue while there is a next_cursor.',
  changes: false,
  input: z.object({
    words: saying(
      z.optional(z.string().check(z.maxLength(200))),
      'All of these words must occur; words in double quotes exactly so. Without it: all feedback',
    ),
    by: saying(
      z._default(z.enum(['words', 'meaning']), 'words'),
      'meaning: also messages that say something similar in other words. If "meaning" of the reply is not "used", the search was by words only',
    ),
    source: saying(
      z.optional(z.string().check(z.maxLength(100))),
      'Only from this source, as "source" of a mention names it',
    ),
    from: saying(z.optional(z.iso.datetime()), 'Said at this time or later, in UTC, such as 2026-05-31T00:00:00Z'),
    to: saying(z.optional(z.iso.datetime()), 'Said before this time, in UTC'),
    kind: saying(z.optional(FeedbackKind), 'Only feedback of this kind'),
    customer: saying(z.optional(z.uuid()), 'Only feedback of this customer, by its id'),
    attributes: saying(
      z.optional(z.string().check(z.maxLength(2_000))),
      'Only feedback with one of these values of each attribute, as list_attributes names them, in the encoding of a query string: rating=1&rating=2&plan=Pro',
    ),
    limit: pageSize(50, 20),
    cursor: Cursor,
  }),
  async run({ call }, query) {
    const { mentions, near, ...page } = await call(searchFeedback, { query })
    return {
      feedback: mentions.map(showFound),
      ...(near ? { near_insights: near.map(showNamed) } : {}),
      ...page,
    }
  },
})

const listTool = tool({
  name: 'list_insights',
  title: 'List insights',
  description:
    'Lists insights: issues that several customers reported, with their mentions, in total and in each of the last 12 weeks, and the number of people.',
  changes: false,
  input: z.object({
    sort: saying(
      z._default(z.enum(['newest', 'most_mentions', 'growing']), 'newest'),
      'newest: last updated first; most_mentions; growing: most additional mentions in the last 4 weeks compared with the 4 before',
    ),
    words: saying(
      z.optional(z.string().check(z.maxLength(200))),
      'Only those with all of these words, and what is in double quotes, in name or summary',
    ),
    status: saying(z.optional(InsightStatus), 'Only with this status'),
    team_status: saying(z.optional(TeamStatus), 'Only with this team status'),
    kind: saying(z.optional(FeedbackKind), 'Only those whose mentions are mostly of this kind'),
    theme_id: saying(z.optional(z.int()), 'Only those in this theme, as list_themes names it'),
    attributes: saying(
      z.optional(z.string().check(z.maxLength(2_000))),
      'Only those with a message that has one of these values of each attribute, as list_attributes names them, in the encoding of a query string: rating=1&rating=2&plan=Pro',
    ),
    limit: pageSize(100, 20),
    cursor: Cursor,
  }),
  async run({ call }, { sort, words, status, team_status, kind, theme_id, attributes, limit, cursor }) {
    const all = await call(listInsights, {})
    const themes = theme_id === undefined ? [] : (await call(listThemes, {})).themes
    const inTheme = new Set(themes.find((theme) => theme.theme_id === theme_id)?.issue_numbers)
    const finds = finder(words ?? '')
    const valued = attributes ? await call(listAttributeInsights, { query: { attributes } }) : null
    const hasValues = new Set(valued?.issue_numbers)
    const found = all.filter((insight) => {
      return (
        finds(searchable(`${insight.issue_name} ${insight.summary}`)) &&
        (status === undefined || insight.status === status) &&
        (team_status === undefined || insight.team_status === team_status) &&
        (kind === undefined || insight.main_kind === kind) &&
        (theme_id === undefined || inTheme.has(insight.issue_number)) &&
        (valued === null || hasValues.has(insight.issue_number))
      )
    })
    const { items, next_cursor } = pageOf(found, { rank: ranks[sort], id: numberOf }, { cursor, limit })
    return { insights: items.map(showInsight), total: found.length, next_cursor }
  },
})

const readTool = tool({
  name: 'read_insight',
  title: 'Read an insight with its evidence',
  description:
    'One insight: what it is about, who reported it, where, its trend, and its mentions as evidence, newest first. Pages after the first have mentions only.',
  changes: false,
  input: z.object({ issue_number: IssueNumber, limit: pageSize(50, 20), cursor: Cursor }),
  async run({ call }, { issue_number, limit, cursor }) {
    const params = { issue_number }
    const { mentions, next_cursor } = await call(listEvidence, { params, query: { limit, cursor } })
    const page = { mentions: mentions.map(showMention), next_cursor }
    if (cursor !== undefined) return { issue_number, ...page }
    const insight = (await call(listInsights, {})).find((one) => one.issue_number === issue_number)
    if (!insight) throw new ContractError('not_found', 'There is no such insight')
    const { people, sources, totals, timeline, kinds, locked, name_set_by } = await call(getInsightDetail, { params })
    return {
      insight: {
        ...showInsight(insight),
        locked,
        name_set_by,
        kinds,
        timeline,
        totals,
        reported_by: people.slice(0, 20).map(({ name, mentions: count }) => ({ mentions: count, untrusted: { name } })),
        reported_in: sources.map(({ place, ...source }) => ({ ...source, untrusted: { place } })),
      },
      ...page,
    }
  },
})

const themesTool = tool({
  name: 'list_themes',
  title: 'List themes',
  description: 'Themes above the insights, most mentions first, with the mentions of each of the last 8 weeks.',
  changes: false,
  input: z.object({ limit: pageSize(100, 20), cursor: Cursor }),
  async run({ call }, page) {
    const { themes } = await call(listThemes, {})
    const order = { rank: (theme: { mention_count: number }) => theme.mention_count, id: themeOf }
    const { items, next_cursor } = pageOf(themes, order, page)
    return { themes: items.map(showTheme), total: themes.length, next_cursor }
  },
})

const attributesTool = tool({
  name: 'list_attributes',
  title: 'List attributes of messages',
  description:
    'The attributes of messages, such as a rating or a plan, that list_insights and search_feedback can filter by, with their values and the number of messages with each.',
  changes: false,
  input: z.object({}),
  async run({ call }) {
    const { attributes, complete } = await call(listAttributes, {})
    return {
      complete,
      attributes: attributes.map(({ messages, ...attribute }) => ({ messages, untrusted: attribute })),
    }
  },
})

const changesTool = tool({
  name: 'list_changes',
  title: 'What changed',
  description:
    'Insights that changed after a time, those with the most added mentions first: new, growing, quiet, regressed or resolved, or with mentions that arrived, came from elsewhere or left.',
  changes: false,
  input: z.object({
    since: saying(
      z.optional(z.iso.datetime({ offset: true })),
      'Changed after this time, at most 31 days ago, such as 2026-05-31T00:00:00Z; a day ago by default. With a cursor: the since of the previous page',
    ),
    limit: pageSize(100, 20),
    cursor: Cursor,
  }),
  async run({ call, now }, { since, limit, cursor }) {
    const from = since ?? new Date(now().getTime() - DAY_MS).toISOString()
    const { since: used, added, changed: members, ...groups } = await call(listChanges, { query: { since: from } })
    const addedTo = new Map(added.map(({ issue_number, count }) => [issue_number, count]))
    const changes = new Map(members?.map(({ issue_number, ...change }) => [issue_number, change]))
    const changed = new Set([...addedTo.keys(), ...changes.keys(), ...GROUPS.flatMap((name) => groups[name])])
    const insights = (await call(listInsights, {})).filter(({ issue_number }) => changed.has(issue_number))
    const order = { rank: (one: Insight) => addedTo.get(one.issue_number) ?? 0, id: numberOf }
    const { items, next_cursor } = pageOf(insights, order, { limit, cursor })
    return {
      since: used,
      counts: Object.fromEntries(GROUPS.map((name) => [name, groups[name].length])),
      changed: items.map((insight) => ({
        changes: GROUPS.filter((name) => groups[name].includes(insight.issue_number)),
        added_mentions: addedTo.get(insight.issue_number) ?? 0,
        mention_change: changes.get(insight.issue_number) ?? { count: 0, new: 0, came: 0, left: 0 },
        ...showInsight(insight),
      })),
      next_cursor,
    }
  },
})

const overviewTool = tool({
  name: 'get_overview',
  title: 'How much feedback there is',
  description: 'How many mentions are in insights, in emerging ones and in neither.',
  changes: false,
  input: z.object({}),
  run: ({ call }: ToolContext) => call(getOverview, {}),
})

/** The tools that need the scope `read`. */
export const readTools: readonly Tool[] = [
  searchTool,
  listTool,
  readTool,
  themesTool,
  attributesTool,
  changesTool,
  overviewTool,
]

const ranks: Readonly<Record<'newest' | 'most_mentions' | 'growing', (insight: Insight) => number>> = {
  newest: ({ last_updated }) => Date.parse(last_updated),
  most_mentions: ({ mention_count = 0 }) => mention_count,
  growing: ({ trend = [] }) => sum(trend.slice(-4)) - sum(trend.slice(-8, -4)),
}

function numberOf({ issue_number }: { issue_number: number }): number {
  return issue_number
}

function themeOf({ theme_id }: { theme_id: number }): number {
  return theme_id
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
