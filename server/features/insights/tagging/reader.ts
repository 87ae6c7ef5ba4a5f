import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Tag } from '@groundswell/contract/settings.ts'
import {
  parseTagPlan,
  prepareTagText,
  TAG_RULES_VERSION,
  type TagCounts,
  type TagPlan,
  tagValue,
} from '@groundswell/engine/index.ts'
import { defineCache } from '../../../platform/caches.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { readWeeks } from '../weeks-store.ts'
import { colourOf } from './colours.ts'
import { readTotals, type TagFinding, type TaggableInsight } from './work-store.ts'

/** A tag with the plan that the engine derives from its description. */
type ReadTag = { name: string; plan: TagPlan }

/**
 * The parsed tags of a workspace. `key` changes whenever values may change. `counts`: some tag is a number of mentions or people;
 * `drifts`: some value changes as time passes.
 */
export type TagReader = { key: string; tags: readonly ReadTag[]; counts: boolean; drifts: boolean }

/** Newest mentions of an insight that tags are found in. */
const MAX_QUOTES = 12
/** Yields to the event loop at this interval, so that the process keeps answering requests. */
const MAX_BLOCKING_MS = 10
const MAX_CACHED_READERS = 20

/** By key. */
const parsedTags = defineCache('tag readers', () => new Map<string, TagReader>())

/** The reader of tags from the settings; of two tags with the same name the first counts. Cached, because descriptions rarely change. */
export async function readerOf({ caches }: Pick<Services, 'caches'>, tags: readonly Tag[]): Promise<TagReader> {
  const readers = caches.of(parsedTags)
  const key = tagsKey(tags)
  const known = readers.get(key)
  if (known) return known
  const byName = new Map<string, Tag>()
  for (const tag of tags) if (!byName.has(tag.name)) byName.set(tag.name, tag)
  const reader = { key, ...(await readTagsAs(byName)) }
  const [oldest] = readers.keys()
  if (readers.size >= MAX_CACHED_READERS && oldest !== undefined) readers.delete(oldest)
  readers.set(key, reader)
  return reader
}

/** Parses tags under names that the caller chooses. */
export async function readTagsAs(tags: ReadonlyMap<string, Tag>): Promise<Omit<TagReader, 'key'>> {
  const yieldIfDue = cooperativeYield()
  const read: ReadTag[] = []
  for (const [name, tag] of tags) {
    read.push({ name, plan: parseTagPlan(tag) })
    await yieldIfDue()
  }
  const measures = read.flatMap(({ plan }) => ('measure' in plan ? [plan.measure] : []))
  return {
    tags: read,
    counts: measures.length > 0,
    drifts: measures.some((measure) => measure !== 'people' && measure !== 'mentions'),
  }
}

/** The key that `tag_check` stores for insights tagged with these tags. */
export function tagsKey(tags: readonly Tag[]): string {
  return createHash('sha256')
    .update(JSON.stringify([TAG_RULES_VERSION, ...tags.map(({ name, description }) => [name, description])]))
    .digest('hex')
}

function cooperativeYield(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return
    await yieldToEventLoop()
    since = performance.now()
  }
}

/** The possible values of a category tag with their colours; empty for other tags. */
export function optionsOf(plan: TagPlan): { value: string; colour: string }[] {
  if (plan.kind !== 'category') return []
  const values = plan.options.map(({ value }) => value)
  return values.map((value) => ({ value, colour: colourOf(value, values) }))
}

/**
 * The values of the tags on these insights, by insight number. `words` false: only tags that count, without reading any text.
 * Yields to the event loop regularly.
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
  const readsText = tags.some(({ plan }) => plan.kind === 'category')
  const quotes = Map.groupBy(
    readsText ? await readNewestEvidence(tx, workspaceId, numbers, MAX_QUOTES) : [],
    (mention) => mention.issueNumber,
  )
  const countsOf = await readCounts(tx, workspaceId, reader, insights, now)
  const yieldIfDue = cooperativeYield()
  const found = new Map<number, TagFinding[]>()
  for (const { issueNumber, name, nameByPerson, summary } of insights) {
    const texts = (quotes.get(issueNumber) ?? []).map((mention) => mention.text)
    const text = prepareTagText({ name, nameByPerson, summary, quotes: texts })
    const counts = countsOf(issueNumber)
    const findings: TagFinding[] = []
    for (const { name: tag, plan } of tags) {
      const finding = toFinding(tag, plan, tagValue(plan, text, counts))
      if (finding) findings.push(finding)
      await yieldIfDue()
    }
    found.set(issueNumber, findings)
  }
  return found
}

/** Numbers are rounded to the one decimal that is shown, so that a value changes only when the shown one does. */
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
