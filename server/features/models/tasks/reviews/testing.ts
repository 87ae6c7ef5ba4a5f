import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach } from 'vitest'
import { type ReceivedRequest, respond, type World, withWorld, world } from '../../testing.ts'
import { TaskWorld } from '../testing.ts'
import { reviews } from './task.ts'

/** An insight as the model receives it. */
type Received = {
  id: string
  name: string
  messages: { id: string; text: string }[]
  others: { id: string; name: string; messages: string[] }[]
}
type Sent = {
  insights?: Record<string, Pick<Received, 'name'> & Record<'messages' | 'others', Record<string, unknown>>>
}

export const EXPORTS = [
  'CSV export fails for large reports',
  'the csv export fails when the report is large',
  'Export of a large report to CSV fails again',
  'large reports: CSV export fails with an error',
  'my CSV export fails, the report has 40,000 rows',
  'the CSV export of our large report fails every time',
]
/** In the insight of the exports, but about something else. */
export const STRANGER = 'CSV export: please let us choose the separator of the file'
/** The same again. */
export const SECOND_STRANGER = 'please let us choose the separator of the CSV export file'
export const LOGINS = [
  'I cannot log in with single sign-on',
  'single sign-on login does not work, I cannot log in',
  'cannot log in by single sign-on since this morning',
  'our people cannot log in with single sign-on',
  'log in with single sign-on is broken, we cannot get in',
]

const DECOY = /office|violin|hiking|bakery|lighthouses|bicycle|tulips|lentil/i

/** The insights of a request. */
export function receivedAll(heard: Pick<ReceivedRequest, 'data'> | undefined): Received[] {
  return Object.entries((heard?.data as Sent | undefined)?.insights ?? {}).map(([id, { name, messages, others }]) => ({
    id,
    name,
    messages: Object.entries(messages).map(([message, text]) => ({ id: message, text: text as string })),
    others: Object.entries(others).map(([other, said]) => {
      const [called = '', ...texts] = said as string[]
      return { id: other, name: called, messages: texts }
    }),
  }))
}

type Opinion = {
  belongs?: (heard: Received) => string | undefined
  part?: number
  same?: (heard: Received) => string[]
  name?: (heard: Received) => { name: string; summary: string }
}

/**
 * A model that takes for strangers what `isStranger` says, and controls, which are nothing like the rest. `belongs`, `part`: of all strangers; `same`: which
 * others are the same problem; `name`: what it calls an insight.
 */
export const reviewing =
  (isStranger: (text: string) => boolean, opinion: Opinion = {}) =>
  (heard: ReceivedRequest, response: ServerResponse): void =>
    respond(response, { reviews: receivedAll(heard).map((one) => reviewOf(one, isStranger, opinion)) })

function reviewOf(
  heard: Received,
  isStranger: (text: string) => boolean,
  { belongs = () => undefined, part, same = () => [], name = () => ({ name: '', summary: '' }) }: Opinion,
) {
  const isExport = /export/i.test(heard.name)
  const isControl = (text: string) => DECOY.test(text) || /export/i.test(text) !== isExport
  const isOther = (text: string) => isControl(text) || isStranger(text)
  const strangers = heard.messages
    .filter(({ text }) => isOther(text))
    .map(({ id, text }) => {
      const to = isControl(text) ? undefined : belongs(heard)
      const place = to === undefined ? (part === undefined || isControl(text) ? '' : ` part ${part}`) : ` to ${to}`
      return `${id}${place}: ${text.slice(0, 20).trim()}`
    })
  const said = heard.messages.filter(({ text }) => !isOther(text)).map(({ id }) => id)
  return { id: heard.id, strangers, same: same(heard), ...name(heard), said: said.slice(0, 2) }
}

/** A workspace with an insight that holds a stranger, another insight, and a model that finds the stranger. */
export class ReviewWorld extends TaskWorld {
  static async start(world: World): Promise<ReviewWorld> {
    const texts = [...EXPORTS, ...LOGINS]
    const messages = texts.map((text, at) => ({ id: `m${at}`, text }))
    const stranger = { id: 'stranger', text: STRANGER }
    const script = reviewing((text) => text === STRANGER)
    return new ReviewWorld(reviews, await TaskWorld.furnish(world, script, [messages, [stranger]]))
  }

  /** The insight that a message is in; null: none. */
  async issueOf(id: string): Promise<number | null> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<{ issue: number | null }>`
        select s.issue_number as issue from statement s join feedback_item item on item.id = s.item_id
        where item.external_id = ${id} order by s.number limit 1`.execute(tx),
    )
    return rows[0]?.issue ?? null
  }

  async moves(): Promise<{ id: string; from: number; to: number; state: string }[]> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<{ id: string; from: number; to: number; state: string }>`
        select external_id as id, from_number as "from", to_number as "to", state
        from model_move move join feedback_item item on item.id = move.item_id order by external_id`.execute(tx),
    )
    return rows
  }

  async reviewed(): Promise<{ issue: number; mentions: number; refused: string | null }[]> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<{ issue: number; mentions: number; refused: string | null }>`
        select issue_number as issue, mention_count as mentions, refused from model_review order by issue_number`.execute(
        tx,
      ),
    )
    return rows
  }

  async events(): Promise<{ issue: number; event: string; detail: unknown }[]> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql<{ issue: number; event: string; detail: unknown }>`
        select issue_number as issue, event, detail from insight_event where event like 'reviewed%' order by event desc`.execute(
        tx,
      ),
    )
    return rows
  }
}

/** The world of the current test, and the insights of its exports and its logins. */
export let review: ReviewWorld
export let exports: number
export let logins: number

/** Gives each test of the file a workspace with two insights to review. */
export function withReviews(): void {
  withWorld()
  beforeEach(async () => {
    review = await ReviewWorld.start(world)
    exports = (await review.issueOf('m0')) as number
    logins = (await review.issueOf(`m${EXPORTS.length}`)) as number
  })
  afterEach(() => review.model.stop())
}
