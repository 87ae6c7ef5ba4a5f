import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FeedbackItem, FilePage, FilePreview } from '@groundswell/connectors/connector.ts'
import type { Expected } from '@groundswell/contract/feedback.ts'
import { clean, cleanName } from './clean.ts'
import type { OwnSide } from './imports/import-store.ts'
import { sidesOf, withSides } from './own-side.ts'

/** Messages that are looked at before others are answered. */
const PAGE = 2_000
const SAMPLES = 5
const SAMPLE_CHARACTERS = 500

/**
 * What importing a file would add, from the messages that its preview found: by the rules of the import itself. `earlier`: how our own side was
 * recognised in the source that it adds to; null: rows of our own side count like all others.
 */
export async function expectedOf(
  { items, bad, whole, share }: FilePreview['found'],
  earlier: (() => Promise<OwnSide | null>) | null,
): Promise<Expected> {
  const { customers, own } = await bySide(items, earlier)
  // Of rows with one id the last one counts, in the place of the first.
  const messages = [...new Map(customers.map((item) => [item.externalId, item])).values()]
  const dated = messages.filter(({ dateKnown }) => dateKnown !== false)
  return {
    messages: messages.length,
    whole,
    about: whole ? messages.length : share === null ? null : Math.round(messages.length / share),
    ...spanOf(dated),
    days: dated.every(({ dateOnly }) => dateOnly),
    undated: messages.length - dated.length,
    own,
    repeated: customers.length - messages.length,
    bad,
    samples: messages.slice(0, SAMPLES).map(sampleOf),
  }
}

async function bySide(
  items: FeedbackItem[],
  earlier: (() => Promise<OwnSide | null>) | null,
): Promise<{ customers: FeedbackItem[]; own: number }> {
  if (earlier === null) return { customers: items, own: 0 }
  async function* pages(): AsyncGenerator<FilePage> {
    for (let from = 0; from < items.length; from += PAGE) {
      yield { items: items.slice(from, from + PAGE), lines: [], problems: [], line: 0, bytes: 0 }
      await nextTurn()
    }
  }
  const sides = await sidesOf({ pages, earlier })
  const customers: FeedbackItem[] = []
  for await (const page of withSides(pages(), sides)) {
    for (const item of page.items) if (item.role !== 'agent') customers.push(item)
  }
  return { customers, own: items.length - customers.length }
}

/** The first and the last date. A day without a time is midnight UTC: it is marked, as its reader may be elsewhere. */
function spanOf(dated: readonly FeedbackItem[]): Pick<Expected, 'from' | 'to' | 'from_date_only' | 'to_date_only'> {
  const [one] = dated
  if (!one) return { from: null, to: null }
  const [first, last] = dated.reduce(
    ([from, to], item) => [item.at < from.at ? item : from, item.at > to.at ? item : to],
    [one, one],
  )
  return {
    from: first.at.toISOString(),
    to: last.at.toISOString(),
    ...(first.dateOnly ? { from_date_only: true } : {}),
    ...(last.dateOnly ? { to_date_only: true } : {}),
  }
}

function sampleOf(item: FeedbackItem): Expected['samples'][number] {
  return {
    text: clean(item.text.slice(0, SAMPLE_CHARACTERS)),
    author: cleanName(item.author),
    customer: cleanName(item.attributes?.organisation ?? null),
    place: cleanName(item.place),
    date: item.dateKnown === false ? null : item.at.toISOString(),
    ...(item.dateOnly ? { date_only: true } : {}),
    link: item.link,
  }
}
