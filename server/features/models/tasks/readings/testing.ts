import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach } from 'vitest'
import { type ReceivedRequest, respond, type ScriptedModel, type World, withWorld, world } from '../../testing.ts'
import type { Company } from '../joins/testing.ts'
import { TaskWorld } from '../testing.ts'
import { writeLine } from './schema.ts'
import { sentencesOf } from './sentences.ts'
import { readings } from './task.ts'

/** A point that a model of these tests replies with. Without a quote: of the whole message. */
export type Said = { kind: string; point: string; quote?: string; english?: string }

/** A message as the model receives it, without the numbers of its sentences. */
export type Received = { id: string; text: string; before?: string }

/** A stored mention, with what was read in it. */
export type ReadMention = { text: string; point: string | null; kind: string | null; by: string | null }

const DECOY = /office|violin|hiking|bakery|lighthouses|bicycle|tulips|lentil/i
export const EXPORT = 'The CSV export stops half way.'
export const TAX = 'Our invoices show the wrong tax number.'
export const BOTH = `${EXPORT} ${TAX}`
export const THANKS = 'Thanks a lot, have a nice day.'

const POINTS = new Map<string, Said>([
  [EXPORT, { kind: 'problem', point: 'CSV export stops before it is complete', quote: EXPORT }],
  [TAX, { kind: 'problem', point: 'Wrong tax number on invoices', quote: TAX }],
])
export const EXPORT_READ = {
  text: EXPORT,
  point: 'CSV export stops before it is complete',
  kind: 'problem',
  by: 'reading',
}
export const TAX_READ = { text: TAX, point: 'Wrong tax number on invoices', kind: 'problem', by: 'reading' }

/** What a good model reads in a message of these tests. */
export function pointsIn({ text }: Pick<Received, 'text'>): Said[] {
  return [EXPORT, TAX].flatMap((one) => (text.includes(one) ? (POINTS.get(one) ?? []) : []))
}

/** A model that replies about each message, and finds nothing in the decoy. */
export const replying =
  (pointsOf: (one: Received) => Said[], tokens = 500) =>
  (heard: ReceivedRequest, response: ServerResponse): void => {
    const lines = messagesOf(heard).flatMap((one) => linesOf(one, DECOY.test(one.text) ? [] : pointsOf(one)))
    respond(response, { readings: lines }, tokens)
  }

/** The lines of a reply about a message. A quote that it does not contain becomes a sentence that it does not have. */
export function linesOf({ id, text }: Received, said: readonly Said[]): string[] {
  const sentences = sentencesOf(text)
  const lines = said.map(({ kind, point, quote, english }) => {
    const start = quote === undefined ? 0 : text.indexOf(quote)
    const isIn = (place: { start: number; end: number }) =>
      start >= 0 && place.start < start + (quote?.length ?? 0) && place.end > start
    const [first, last] = [sentences.findIndex(isIn) + 1, sentences.findLastIndex(isIn) + 1]
    const places = quote === undefined || quote === text ? null : first || sentences.length + 1
    return writeLine(id, {
      kind: kind as 'problem',
      first: places,
      last: places && (last || places),
      point,
      ...(english === undefined ? {} : { english }),
    })
  })
  return lines.length === 0 ? [id] : lines
}

/** The messages of a request. */
export function messagesOf(heard: { data: unknown } | undefined): Received[] {
  const { messages = {} } = (heard?.data ?? {}) as { messages?: Record<string, string | Omit<Received, 'id'>> }
  return Object.entries(messages).map(([id, one]) => {
    const { text, ...before } = typeof one === 'string' ? { text: one } : one
    return { id, ...before, text: text.replace(/(?<=\s)\[\d+\] /g, '') }
  })
}

/** A workspace with three messages that are grouped, and a model that reads them well. */
export class ReadingWorld extends TaskWorld {
  static async start(world: World): Promise<ReadingWorld> {
    const messages = [
      { id: 'both', text: BOTH },
      { id: 'thanks', text: THANKS },
      { id: 'tax', text: TAX },
    ]
    return new ReadingWorld(readings, await TaskWorld.furnish(world, replying(pointsIn), [messages]))
  }

  /** The mentions of a message. */
  async mentionsOf(id: string): Promise<ReadMention[]> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<ReadMention & { start: number; end: number }>`
        select item.text, s.start_offset as start, s.end_offset as "end", s.point, s.feedback_kind as kind, s.kind_by as by
        from statement s join feedback_item item on item.id = s.item_id where item.external_id = ${id}
        order by s.number`.execute(tx),
    )
    return rows.map(({ text, start, end, ...row }) => ({ ...row, text: text.slice(start, end) }))
  }

  /** All readings, by the ids of their messages. */
  async stored(): Promise<{ id: string; points: unknown[] | null; unread: string | null; state: string | null }[]> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<{ id: string; points: unknown[] | null; unread: string | null; state: string | null }>`
        select external_id as id, points, unread, state from model_reading r join feedback_item item on item.id = r.item_id
        order by external_id`.execute(tx),
    )
    return rows
  }
}

/** The world of the current test, its model and its company. */
export let reading: ReadingWorld
export let model: ScriptedModel
export let company: Company

/** Gives each test of the file a workspace with messages to read. */
export function withReadings(): void {
  withWorld()
  beforeEach(async () => {
    reading = await ReadingWorld.start(world)
    ;({ model, company } = reading)
  })
  afterEach(() => model.stop())
}
