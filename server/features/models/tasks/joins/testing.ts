import type { ServerResponse } from 'node:http'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { fileConnection } from '../../../connections/index.ts'
import { storeItems } from '../../../feedback/index.ts'
import { groupNow } from '../../../insights/index.ts'
import { type ReceivedRequest, respond, type ScriptedModel, type World } from '../../testing.ts'
import { joins } from './task.ts'

/** A case as the model receives it. */
export type ReceivedCase = { id: string; message: string; insight: { title: string; messages: string[] } }

const DECOY = /office|violin|hiking|bakery|lighthouses|bicycle|tulips|lentil/i

export function casesOf(heard: ReceivedRequest): ReceivedCase[] {
  return (heard.data as { cases?: ReceivedCase[] }).cases ?? []
}

/** Whether a case is one of the decoys. */
export function isDecoy({ message }: ReceivedCase): boolean {
  return message.length < 60 && DECOY.test(message)
}

/** A model that decides each case by its content. */
export function judging(same: (one: ReceivedCase) => boolean) {
  return (heard: ReceivedRequest, response: ServerResponse) =>
    respond(response, { cases: casesOf(heard).map((one) => ({ id: one.id, same: same(one) })) })
}

export const honest = judging((one) => !isDecoy(one))

export type Placed = { id: string; text: string; issue: number | null; decidedBy: string }

/** A workspace with the first of the demo company's messages, some of which nearly joined an insight. */
export class Company {
  readonly world: World
  readonly workspaceId: string

  constructor(world: World, workspaceId: string) {
    this.world = world
    this.workspaceId = workspaceId
  }

  static async start(world: World, count = 119): Promise<Company> {
    const one = new Company(world, await world.workspace())
    await one.store(loadCompany().slice(0, count))
    await one.group()
    return one
  }

  async store(messages: readonly { id: string; text: string; conversation?: string }[]): Promise<void> {
    await this.world.inside(this.workspaceId, async (tx) => {
      const connection = await fileConnection(tx, this.workspaceId)
      const items = messages.map(({ id, text, conversation }, at) => ({
        externalId: id,
        text,
        author: `Person ${id}`,
        at: new Date(this.world.now.getTime() + at * 1000),
        link: null,
        thread: conversation ?? null,
        place: null,
      }))
      await storeItems(tx, this.workspaceId, connection.id, items)
    })
  }

  group(services = this.world.services): Promise<number> {
    return groupNow(services, this.workspaceId)
  }

  /** One run, as the job does it. */
  judge(model: ScriptedModel, more: { name?: string; lastAttempt?: boolean; tokensPerDay?: number } = {}) {
    const { name = 'small', lastAttempt = false, tokensPerDay = 10_000_000 } = more
    const settings = this.world.settings(model, { model: name, tokensPerDay })
    return this.world.run(this.workspaceId, settings, { task: joins, lastAttempt })
  }

  /** All statements, with their insights. */
  async placed(): Promise<Placed[]> {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<Placed>`
        select s.item_id || ':' || s.number as id, item.text, s.issue_number as issue, s.decided_by as "decidedBy"
        from statement s join feedback_item item on item.id = s.item_id order by s.item_id, s.number`.execute(tx),
    )
    return rows
  }

  async byModel(): Promise<Placed[]> {
    return (await this.placed()).filter((one) => one.decidedBy === 'model')
  }

  /** The stored verdicts. */
  async verdicts(): Promise<
    { id: string | null; issue: number; verdict: string; state: string | null; model: string }[]
  > {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<{ id: string | null; issue: number; verdict: string; state: string | null; model: string }>`
        select item_id || ':' || number as id, issue_number as issue, verdict, state, model from model_join
        order by item_id, text_hash`.execute(tx),
    )
    return rows
  }

  /** The counts that the list shows. */
  async counts(): Promise<Map<number, number>> {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<{ issue: number; mentions: number }>`
        select issue_number as issue, mention_count as mentions from insight order by 1`.execute(tx),
    )
    return new Map(rows.map((row) => [row.issue, row.mentions]))
  }
}
