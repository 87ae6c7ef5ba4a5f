import { createHash } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Tag } from '@groundswell/contract/settings.ts'
import {
  readTagPlan,
  readTagText,
  TAG_RULES,
  type TagCounts,
  type TagPlan,
  tagValue,
} from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNewestEvidence, readWeeks } from '../evidence-store.ts'
import { colourOf } from './colours.ts'
import { readTotals, type TagFinding, type TaggableInsight } from './work-store.ts'

/** A tag with what the engine makes of its description. */
type ReadTag = { name: string; plan: TagPlan }

/** The tags of a workspace, read. `key` is another one whenever other values may come out. */
export type TagReader = { key: string; tags: readonly ReadTag[]; counts: boolean; drifts: boolean }

const QUOTES = 12
/** No longer than this at a time, so that the process answers others meanwhile. */
const HOLD_MS = 10
const REMEMBERED = 20

const readers = new Map<string, TagReader>()

/** Reads tags as the settings have them; of two with one name the first counts. Remembered, since descriptions seldom change. */
export async function readerOf(tags: readonly Tag[]): Promise<TagReader> {
  const key = tagsKey(tags)
  const known = readers.get(key)
  if (known) return known
  const byName = new Map<string, Tag>()
  for (const tag of tags) if (!byName.has(tag.name)) byName.set(tag.name, tag)
  const reader = { key, ...(await readTagsAs(byName)) }
  const [oldest] = readers.keys()
  if (readers.size >= REMEMBERED && oldest !== undefined) readers.delete(oldest)
  readers.set(key, reader)
  return reader
}

/** Reads tags, each under a name of the caller's. */
export async function readTagsAs(tags: ReadonlyMap<string, Tag>): Promise<Omit<TagReader, 'key'>> {
  const giveWay = takingTurns()
  const read: ReadTag[] = []
  for (const [name, tag] of tags) {
    read.push({ name, plan: readTagPlan(tag) })
    await giveWay()
  }
  const measures = read.flatMap(({ plan }) => ('measure' in plan ? [plan.measure] : []))
  return {
    tags: read,
    counts: measures.length > 0,
    drifts: measures.some((measure) => measure !== 'people' && measure !== 'mentions'),
  }
}

/** What `tag_check` holds for insights that were read by these tags. */
export function tagsKey(tags: readonly Tag[]): string {
  return createHash('sha256')
    .update(JSON.stringify([TAG_RULES, ...tags.map(({ name, description }) => [name, description])]))
    .digest('hex')
}

function takingTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < HOLD_MS) return
    await letOthersRun()
    since = performance.now()
  }
}

/** The values of a plan with their colours; empty for one that counts. */
export function optionsOf(plan: TagPlan): { value: string; colour: string }[] {
  if (plan.kind !== 'category') return []
  const values = plan.options.map(({ value }) => value)
  return values.map((value) => ({ value, colour: colourOf(value, values) }))
}

/**
 * What the tags are on these insights, by issue number. `words` false: only those that count, without reading any text.
 * Gives way to other work meanwhile.
 */
export async function findTags(
  tx: Tx,
  workspaceId: string,
  reader: Omit<TagReader, 'key'>,
  insights: readonly TaggableInsight[],
  now: Date,
  { words }: { words: boolean },
): Promise<Map<number, TagFinding[]>> {
  const tags = words ? reader.tags : reader.tags.filter(({ plan }) => 'measure' in plan)
  const numbers = insights.map((insight) => insight.issueNumber)
  const wordy = tags.some(({ plan }) => plan.kind === 'category')
  const quotes = Map.groupBy(
    wordy ? await readNewestEvidence(tx, workspaceId, numbers, QUOTES) : [],
    (mention) => mention.issueNumber,
  )
  const countsOf = await readCounts(tx, workspaceId, reader, insights, now)
  const giveWay = takingTurns()
  const found = new Map<number, TagFinding[]>()
  for (const { issueNumber, name, nameByPerson, summary } of insights) {
    const said = (quotes.get(issueNumber) ?? []).map((mention) => mention.text)
    const text = readTagText({ name, nameByPerson, summary, quotes: said })
    const counts = countsOf(issueNumber)
    const findings: TagFinding[] = []
    for (const { name: tag, plan } of tags) {
      const finding = toFinding(tag, plan, tagValue(plan, text, counts))
      if (finding) findings.push(finding)
      await giveWay()
    }
    found.set(issueNumber, findings)
  }
  return found
}

/** Percentages are kept with the one decimal that is shown, so that a value changes only when what is shown does. */
function toFinding(tag: string, plan: TagPlan, value: string | number | null): TagFinding | null {
  if (value === null || plan.kind === 'none') return null
  if (typeof value === 'number') return { tag, kind: plan.kind, value: Math.round(value * 10) / 10, colour: null }
  const colour = optionsOf(plan).find((option) => option.value === value)?.colour ?? null
  return { tag, kind: plan.kind, value, colour }
}

async function readCounts(
  tx: Tx,
  workspaceId: string,
  reader: Omit<TagReader, 'key'>,
  insights: readonly TaggableInsight[],
  now: Date,
): Promise<(issueNumber: number) => TagCounts> {
  const measures = new Set(reader.tags.flatMap(({ plan }) => ('measure' in plan ? [plan.measure] : [])))
  const totals = reader.counts
    ? await readTotals(tx, workspaceId, measures.has('people-share'))
    : { mentions: 0, people: 0 }
  const weekly = measures.has('growth') || measures.has('week-mentions')
  const weeks = Map.groupBy(
    weekly
      ? await readWeeks(
          tx,
          workspaceId,
          insights.map(({ issueNumber }) => ({ issueNumber, until: now })),
          2,
        )
      : [],
    (week) => week.issueNumber,
  )
  const byNumber = new Map(insights.map((insight) => [insight.issueNumber, insight]))
  return (issueNumber) => {
    const insight = byNumber.get(issueNumber)
    const inWeek = (ago: number) => weeks.get(issueNumber)?.find((week) => week.weeksAgo === ago)?.mentions ?? 0
    return {
      mentions: insight?.mentions ?? 0,
      people: insight?.people ?? 0,
      week: inWeek(0),
      weekBefore: inWeek(1),
      firstSeen: insight?.firstSeen?.getTime() ?? null,
      lastSeen: insight?.lastSeen?.getTime() ?? null,
      allMentions: totals.mentions,
      allPeople: totals.people,
      now: now.getTime(),
    }
  }
}
