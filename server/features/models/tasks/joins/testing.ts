import type { ServerResponse } from 'node:http'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { fileConnection } from '../../../connections/index.ts'
import { storeItems } from '../../../feedback/index.ts'
import { groupNow } from '../../../insights/index.ts'
import { oneLine } from '../../plain-text.ts'
import { type ReceivedRequest, respond, type ScriptedModel, type World } from '../../testing.ts'
import { joins } from './task.ts'

/** A message or an insight as the model receives it: its texts. */
export type ReceivedSide = { id: string; texts: string[]; isInsight: boolean }

/** A question as the model receives it, with the texts that its ids stand for. */
export type ReceivedCase = ReceivedSide & { candidates: ReceivedSide[] }

type Data = {
  insights?: { id: string; title: string; messages: string[] }[]
  messages?: { id: string; text: string }[]
  questions?: { of: string; candidates: string[] }[]
}

const DECOY = /office|violin|hiking|bakery|lighthouses|bicycle|tulips|lentil/i

/** The cases of a request, with the texts of both sides. */
export function casesOf(heard: Pick<ReceivedRequest, 'data'>): ReceivedCase[] {
  const { insights = [], messages = [], questions = [] } = heard.data as Data
  const received: ReceivedSide[] = [
    ...insights.map(({ id, messages: texts }) => ({ id, texts, isInsight: true })),
    ...messages.map(({ id, text }) => ({ id, texts: [text], isInsight: false })),
  ]
  const sides = new Map(received.map((one) => [one.id, one]))
  const side = (id: string) => sides.get(id) ?? { id, texts: [], isInsight: false }
  return questions.map(({ of, candidates }) => ({ ...side(of), candidates: candidates.map(side) }))
}

/** Whether a question is about one of the decoys. */
export function isDecoy({ texts: [text = ''], isInsight }: ReceivedSide): boolean {
  return !isInsight && text.length < 60 && DECOY.test(text)
}

/** A model that decides about each candidate by its content. */
export function judging(isSame: (one: ReceivedCase, candidate: ReceivedSide) => boolean) {
  return (heard: ReceivedRequest, response: ServerResponse) =>
    respond(response, {
      answers: casesOf(heard).map((one) => ({
        of: one.id,
        same: one.candidates.filter((candidate) => isSame(one, candidate)).map(({ id }) => id),
      })),
    })
}

const labelled = loadCompany().map(({ text, label }) => ({ text: oneLine(text, 100_000), label }))

/** What most of the texts are about, by the demo company's labels; null for anything else. */
function subjectOf({ texts }: ReceivedSide): string | null {
  const labels = texts.map((text) => labelled.find((one) => one.text.includes(text))?.label ?? null)
  return labels.find((label, at) => labels.indexOf(label) !== at) ?? labels[0] ?? null
}

/** Whether both are about the same. */
export function isSameSubject(one: ReceivedSide, other: ReceivedSide): boolean {
  return subjectOf(one) !== null && subjectOf(one) === subjectOf(other)
}

/** A model that decides as `isSameSubject` does. */
export const honest = judging(isSameSubject)

/** Where a message is after grouping. */
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

  /** Runs, as the job starts them, until there is nothing more to do now. */
  async judge(model: ScriptedModel, more: { name?: string; lastAttempt?: boolean; tokensPerDay?: number } = {}) {
    const { name = 'small', lastAttempt = false, tokensPerDay = 10_000_000 } = more
    const settings = this.world.settings(model, { model: name, tokensPerDay })
    let calls = 0
    for (;;) {
      const outcome = await this.world.run(this.workspaceId, settings, { task: joins, lastAttempt })
      calls += outcome.calls
      if (!outcome.more) return calls
    }
  }

  /** All statements, with their insights. */
  async placed(): Promise<Placed[]> {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<Placed>`
        select s.item_id || ':' || s.number as id, item.text, coalesce(s.issue_number, s.emerging_number) as issue, s.decided_by as "decidedBy"
        from statement s join feedback_item item on item.id = s.item_id order by s.item_id, s.number`.execute(tx),
    )
    return rows
  }

  async byModel(): Promise<Placed[]> {
    return (await this.placed()).filter((one) => one.decidedBy === 'model')
  }

  /** The stored answers, without those to controls. `id`: of the message, null when it was read again since. */
  async answers(): Promise<
    { id: string | null; other: string | null; issue: number | null; yes: boolean | null; model: string }[]
  > {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<{ id: string | null; other: string | null; issue: number | null; yes: boolean | null; model: string }>`
        select item_id || ':' || number as id, other_item_id || ':' || other_number as other, issue_number as issue, yes, model
        from model_answer where not is_control order by item_id, text_hash, issue_number, other_item_id`.execute(tx),
    )
    return rows
  }

  /** What followed from the answers, and whether grouping has carried it out. */
  async decisions(): Promise<{ id: string; issue: number; state: string | null }[]> {
    const { rows } = await this.world.inside(this.workspaceId, (tx) =>
      sql<{ id: string; issue: number; state: string | null }>`
        select item_id || ':' || number as id, issue_number as issue, state from model_join order by item_id`.execute(
        tx,
      ),
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
