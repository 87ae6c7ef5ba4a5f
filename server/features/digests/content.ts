import type { Tx } from '../../platform/db/tenant.ts'
import { readThreshold, readWaiting } from '../deliveries/index.ts'
import { readShipped, spanOf, viewChanges } from '../insights/index.ts'
import { type NamedInsight, readNamed } from './content-store.ts'

/** A part of a digest. `counted`: its place in the subject, as in "3 new". */
/** `tab`: of the panel, which the links of this part open. */
export type DigestPart = { title: string; counted: string; lines: DigestLine[]; more: number; tab?: 'activity' }
type DigestLine = { number: number; name: string; note: string }

const SHOWN = 10

/**
 * What a digest says about the time since then; null when nothing happened: insights that wait for review are listed beside news, and are news only
 * where one got more mentions.
 */
export async function viewDigest(tx: Tx, workspaceId: string, since: Date, now: Date): Promise<DigestPart[] | null> {
  const changes = await viewChanges(tx, workspaceId, spanOf(since, now))
  const shipped = (await readShipped(tx, workspaceId, since)).filter((number) => !changes.regressed.includes(number))
  const waiting = await readWaiting(tx, workspaceId, await readThreshold(tx, workspaceId))
  const arrived = new Set(changes.added.map((one) => one.issue_number))
  const changed = new Map(changes.changed?.map((one) => [one.issue_number, one.count]))
  const named = new Map(
    (
      await readNamed(tx, workspaceId, [
        ...new Set([...changes.new, ...changes.growing, ...changes.regressed, ...shipped, ...waiting]),
      ])
    ).map((one) => [one.number, one]),
  )
  const part = (
    title: string,
    counted: string,
    numbers: readonly number[],
    note: (insight: NamedInsight) => string,
  ): DigestPart => {
    const found = numbers.flatMap((number) => named.get(number) ?? [])
    const largest = found.toSorted((one, other) => other.mentions - one.mentions || one.number - other.number)
    const lines = largest.slice(0, SHOWN).map((one) => ({ number: one.number, name: one.name, note: note(one) }))
    return { title, counted, lines, more: found.length - lines.length }
  }
  const parts = [
    part('New', 'new', changes.new, ({ mentions }) => mentionsText(mentions)),
    part(
      'Growing',
      'growing',
      changes.growing,
      ({ number, mentions }) => `${changed.get(number) ?? 0} more, ${mentionsText(mentions)} in all`,
    ),
    part('Regressed', 'regressed', changes.regressed, () => 'mentioned again after it was resolved'),
    part('Shipped', 'shipped', shipped, ({ mentions, people }) =>
      people > 0 ? `asked for by ${people} ${people === 1 ? 'person' : 'people'}` : mentionsText(mentions),
    ),
    part('Waiting for review', 'waiting', waiting, ({ mentions }) => `${mentionsText(mentions)}, not pushed yet`),
  ].filter(({ lines }) => lines.length > 0)
  const isNews = parts.some(({ counted }) => counted !== 'waiting') || waiting.some((number) => arrived.has(number))
  return isNews ? parts : null
}

function mentionsText(count: number): string {
  return `${count} ${count === 1 ? 'mention' : 'mentions'}`
}
