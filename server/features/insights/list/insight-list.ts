import { givenFields, INSIGHT_FIELDS } from '@groundswell/contract/insight-fields.ts'
import { type Insight, listInsights } from '@groundswell/contract/insights.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { checkedJson, type PreparedReply } from '../../../platform/http/prepared-reply.ts'
import type { Services } from '../../../platform/services.ts'
import { readRevision } from '../../workspaces/index.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { shortMention } from '../mention.ts'
import type { Revisions } from '../revision.ts'
import type { InsightRow } from '../store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readWeeks } from '../weeks-store.ts'
import { changesSince, type ListedInsight, ListHistory, unchanged, wholeList } from './list-delta.ts'
import { readChangedInsights } from './store.ts'

type Fragment = ListedInsight & { lastUpdated: number }
type List = {
  revision: number
  week: number
  mentions: number
  fragments: Map<number, Fragment>
  json: Buffer
  history: ListHistory
}

const WEEK_MS = 7 * 86_400_000
/** Weeks begin on Monday, 00:00 UTC; the first Monday of 1970 was the 5th of January. */
const MONDAY_MS = 4 * 86_400_000
const TREND_WEEKS = 12
const MAX_MENTIONS = 20
/** In lists of more insights each shows fewer mentions; `listEvidence` returns all of them. */
const LONG_LIST = 500
const MAX_MENTIONS_IN_LONG_LIST = 3
const BATCH = 100
/** Part of the reply's version: increment it when the same rows are shown differently. */
const FORMAT = 6
const MAX_BYTES = 128 * 1024 * 1024

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

/**
 * The list of all insights, cached as bytes: a poll that finds nothing new makes no query, and one that finds a change reads and
 * serializes only what has changed.
 */
export class InsightList {
  readonly #services: Services
  readonly #revisions: Revisions
  readonly #lists = new Map<string, List>()
  readonly #building = new Map<string, Promise<List>>()

  constructor(services: Services, revisions: Revisions) {
    this.#services = services
    this.#revisions = revisions
  }

  /**
   * The reply to a poll: 304 when the client already has this list. `base`: the version that it has, if it asks for the
   * changes since then; it gets the whole list where they are not known or not smaller.
   */
  async reply(
    workspaceId: string,
    clientHas: (version: string) => boolean,
    base: string | null = null,
  ): Promise<PreparedReply> {
    const week = this.#week()
    const known = this.#revisions.get(workspaceId)
    if (known !== undefined && clientHas(versionOf(known, week))) return unchanged(versionOf(known, week))
    const cached = this.#lists.get(workspaceId)
    const list = cached && cached.revision === known && cached.week === week ? cached : await this.#build(workspaceId)
    this.#lists.delete(workspaceId)
    this.#lists.set(workspaceId, list)
    this.#evict()
    const version = versionOf(list.revision, list.week)
    if (clientHas(version)) return unchanged(version)
    const since = base === null ? null : revisionIn(base, list)
    const delta = since === null ? null : list.history.since(since, list.fragments.values(), list.json.length)
    return delta === null ? wholeList(list.json, version) : changesSince(delta, version)
  }

  #week(): number {
    return weekOf(this.#services.now())
  }

  /** Polls that arrive while a list is being built share it. */
  #build(workspaceId: string): Promise<List> {
    const running = this.#building.get(workspaceId)
    if (running) return running
    const build = this.#revisions
      .readAndCache(workspaceId, async () => {
        const value = await inWorkspace(this.#services.db, workspaceId, (tx) => this.#read(tx, workspaceId))
        return { revision: value.revision, value }
      })
      .finally(() => this.#building.delete(workspaceId))
    this.#building.set(workspaceId, build)
    return build
  }

  /** Reads the revision first: what changes afterwards is read again by the next poll, never missed. */
  async #read(tx: Tx, workspaceId: string): Promise<List> {
    const week = this.#week()
    const revision = await readRevision(tx, workspaceId)
    let before = this.#lists.get(workspaceId)
    if (before && (before.week !== week || before.revision > revision)) before = undefined
    let changed = await readChangedInsights(tx, workspaceId, before?.revision ?? -1)
    const mentions = mentionsFor(changed, before)
    if (before && before.mentions !== mentions) {
      before = undefined
      changed = await readChangedInsights(tx, workspaceId, -1)
    }
    const fragments = new Map(before?.fragments)
    const history = before ? before.history.at(revision) : new ListHistory(revision)
    for (const row of changed) {
      if (!row.shown) {
        fragments.delete(row.issue_number)
        history.remove(row.issue_number)
      }
    }
    const shown = changed.filter((row) => row.shown)
    for (let at = 0; at < shown.length; at += BATCH) {
      const made = await describeRows(tx, workspaceId, shown.slice(at, at + BATCH), week, mentions)
      for (const fragment of made) {
        fragments.set(fragment.issueNumber, { ...fragment, revision })
        history.add(fragment.issueNumber)
      }
    }
    const sorted = [...fragments.values()].sort(
      (a, b) => b.lastUpdated - a.lastUpdated || b.issueNumber - a.issueNumber,
    )
    const parts = sorted.flatMap((fragment, at) => (at === 0 ? [fragment.json] : [COMMA, fragment.json]))
    const json = Buffer.concat([OPEN, ...parts, CLOSE])
    return { revision, week, mentions, fragments, json, history }
  }

  #evict(): void {
    let total = 0
    for (const list of this.#lists.values()) total += 2 * list.json.length
    for (const [workspaceId, list] of this.#lists) {
      if (total <= MAX_BYTES || this.#lists.size === 1) return
      this.#lists.delete(workspaceId)
      total -= 2 * list.json.length
    }
  }
}

/** Unique within one workspace only; the platform adds the caller to the ETag. */
function versionOf(revision: number, week: number): string {
  return `${FORMAT}-${week}-${revision}`
}

/** The revision that a version of this list names; null: it is a version of another list. */
function revisionIn(version: string, { week, revision }: List): number | null {
  const since = Number(version.split('-')[2])
  return Number.isSafeInteger(since) && version === versionOf(since, week) && since <= revision ? since : null
}

function mentionsFor(changed: readonly InsightRow[], before: List | undefined): number {
  const numbers = new Set(before?.fragments.keys())
  for (const row of changed) {
    if (row.shown) numbers.add(row.issue_number)
    else numbers.delete(row.issue_number)
  }
  return numbers.size > LONG_LIST ? MAX_MENTIONS_IN_LONG_LIST : MAX_MENTIONS
}

/** When the trend ends of an insight whose mentions are all older than the trend's weeks; null: with the current week. */
function trendEnd({ last_seen: lastSeen }: InsightRow, week: number): Date | null {
  if (!lastSeen || lastSeen >= endOf(week - TREND_WEEKS)) return null
  return endOf(weekOf(lastSeen))
}

/** The number of the week of a time. */
export function weekOf(time: Date): number {
  return Math.floor((time.getTime() - MONDAY_MS) / WEEK_MS)
}

/** When a week ends. */
export function endOf(week: number): Date {
  return new Date((week + 1) * WEEK_MS + MONDAY_MS)
}

async function describeRows(
  tx: Tx,
  workspaceId: string,
  rows: readonly InsightRow[],
  week: number,
  mentions: number,
): Promise<Omit<Fragment, 'revision'>[]> {
  const numbers = rows.map((row) => row.issue_number)
  const evidence = Map.groupBy(await readNewestEvidence(tx, workspaceId, numbers, mentions), (one) => one.issueNumber)
  const ends = new Map(rows.map((row) => [row.issue_number, trendEnd(row, week)]))
  const wanted = rows.map(({ issue_number: issueNumber }) => ({
    issueNumber,
    until: ends.get(issueNumber) ?? endOf(week),
  }))
  const weeks = Map.groupBy(await readWeeks(tx, workspaceId, wanted, TREND_WEEKS), (one) => one.issueNumber)
  const tags = Map.groupBy(await readTags(tx, workspaceId, numbers), (one) => one.issueNumber)
  return rows.map((row) => {
    const trend = Array.from({ length: TREND_WEEKS }, () => 0)
    for (const { weeksAgo, mentions: count } of weeks.get(row.issue_number) ?? [])
      trend[TREND_WEEKS - 1 - weeksAgo] = count
    const insight: Insight = {
      ...givenFields(row, INSIGHT_FIELDS),
      evidence: (evidence.get(row.issue_number) ?? []).map(shortMention),
      categories: (tags.get(row.issue_number) ?? []).filter((tag) => tag.value !== null).map(viewTag),
      trend,
      trend_end: ends.get(row.issue_number)?.toISOString() ?? null,
    }
    const json = Buffer.from(checkedJson(listInsights, [insight]).slice(1, -1))
    return { issueNumber: row.issue_number, lastUpdated: row.last_updated.getTime(), json }
  })
}
