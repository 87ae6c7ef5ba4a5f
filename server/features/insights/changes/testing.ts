import { sql } from 'kysely'
import { deleteItems } from '../../feedback/index.ts'
import { corrected, csv, mail, world } from '../corrections/fresh-workspace.ts'
import { messages } from '../corrections/testing.ts'
import { findCustomersOf } from '../customers/find-customers.ts'
import { planRegrouping, storeRegrouping } from '../grouping/regrouping.ts'
import { recountRelabelled } from '../grouping/relabelled.ts'
import type { VectorSource } from '../grouping/vector-source.ts'
import type { Message } from '../testing.ts'

const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await world.inside(corrected.workspace, (tx) => query.execute(tx))).rows

const noVectors: VectorSource = {
  model: async () => ({ space: '', languages: null, late: false }),
  stored: async () => new Map(),
  withVectors: async () => [],
  fresh: async () => new Map(),
}

/** Numbers from 0 up to 1 that are the same in each run. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Random changes to the members of insights of `useFreshWorkspaces`. Messages arrive at the time of the test's clock. */
export class RandomChanges {
  readonly #random: () => number
  readonly #done: string[] = []
  #messages = 80

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  /** Does something at random, and returns what. */
  async next(): Promise<string> {
    const all: Record<string, () => Promise<unknown>> = {
      add: () => this.#add(),
      edit: () => this.#edit(),
      relabel: () => this.#relabel(),
      delete: () => this.#delete(),
      correct: () => this.#correct(),
      'correct again': () => this.#correct(),
      undo: () => this.#undo(),
      'delete insight': () => this.#deleteInsight(),
      regroup: () => this.#regroup(),
      find: () => this.#find(),
      pay: () => this.#pay(),
      group: () => corrected.group(),
      'group again': () => corrected.group(),
    }
    const name = this.#pick(Object.keys(all)) ?? 'group'
    await all[name]?.()
    return name
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)]
  }

  #some(count: number): Message[] {
    return Array.from({ length: count }, () => messages(1, Math.floor(this.#random() * this.#messages))[0] as Message)
  }

  async #store(changed: readonly Message[]): Promise<number[]> {
    await world.store(corrected.workspace, changed)
    await rowsOf(sql`update feedback_item set stored_at = ${world.now} where stored_at > ${world.now}`)
    const ids = changed.map(({ id }) => id)
    const rows = await rowsOf(sql<{ id: number }>`select id from feedback_item where external_id = any(${ids}::text[])`)
    return rows.map((row) => row.id)
  }

  async #add(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 12)
    const days = Math.floor(this.#random() * 60)
    const added = messages(count, this.#messages).map((one, at) => ({
      ...one,
      at: new Date(Date.UTC(2026, 0, 1 + days, 5 * at)),
      ...(this.#random() < 0.3 ? { author: undefined } : {}),
      ...this.#customer(),
    }))
    this.#messages += count
    await this.#store(added)
  }

  async #edit(): Promise<void> {
    await this.#store(
      this.#some(4).map((one, at) => ({
        ...one,
        // Every second one is about something else now.
        text: `${at % 2 === 0 ? one.text : messages(1, Number(one.id.slice(1)) + 1)[0]?.text} and again`,
        author: `editor ${this.#random()}`,
        ...this.#customer(),
      })),
    )
  }

  async #relabel(): Promise<void> {
    const ids = await this.#store(
      this.#some(5).map((one) => ({ ...one, author: this.#pick(['x', 'y', undefined]), ...this.#customer() })),
    )
    if (this.#random() < 0.5) return
    await world.inside(corrected.workspace, (tx) => recountRelabelled(tx, corrected.workspace, ids))
  }

  /** Half of the time someone of a customer. */
  #customer(): Partial<Message> {
    const at = Math.floor(this.#random() * 5)
    const author = this.#pick([`ann@c${at}.example`, `bo@c${at}.example`, 'cy@gmail.com'])
    return (
      this.#pick<Partial<Message>>([
        {},
        { attributes: { rating: `${at}` } },
        { author },
        { author, attributes: { organisation: `Org ${at}`, revenue: `${at * 100}` } },
      ]) ?? {}
    )
  }

  async #find(): Promise<void> {
    await findCustomersOf(world.services, corrected.workspace, { changed: async () => undefined }, { batch: 7 })
  }

  async #pay(): Promise<void> {
    const revenue = Math.floor(this.#random() * 1000)
    await rowsOf(sql`
      update customer set revenue = ${revenue}, listed_fields = '{revenue}' where id = (select id from customer order by key limit 1)`)
  }

  async #delete(): Promise<void> {
    await world.inside(corrected.workspace, async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from connection limit 1`.execute(tx)
      const ids = this.#some(4).map(({ id }) => id)
      await deleteItems(tx, corrected.workspace, String(rows[0]?.id), ids)
    })
  }

  async #correct(): Promise<void> {
    const mine = this.#random() < 0.5 ? csv : mail
    const mentions = await corrected.mentions(mine)
    if (mentions.length < 4) return
    const few = mentions.slice(0, 1 + Math.floor(this.#random() * 3))
    const other = mine === csv ? mail : csv
    const request = this.#pick([
      { kind: 'merge', into: other } as const,
      { kind: 'split', mentions: few } as const,
      { kind: 'move', mentions: few, to: other } as const,
      { kind: 'move', mentions: few, to: null } as const,
      { kind: 'reject', mentions: few } as const,
    ])
    if (!request) return
    const { status, body } = await corrected.request(mine, request)
    if (status < 300) this.#done.push(body.correction_id)
  }

  async #undo(): Promise<void> {
    const last = this.#done.pop()
    if (last) await corrected.undo(last)
  }

  async #deleteInsight(): Promise<void> {
    const url = `/api/insights/${this.#pick([csv, mail])}`
    if (this.#random() < 0.5) await world.call(corrected.workspace, 'DELETE', url)
    else await world.call(corrected.workspace, 'POST', `${url}/restore`)
  }

  async #regroup(): Promise<void> {
    await corrected.group()
    const { workspace } = corrected
    const model = { space: '', languages: null, late: false }
    const plan = await planRegrouping(world.services, workspace, model, noVectors)
    await world.inside(workspace, (tx) => storeRegrouping(tx, world.services, workspace, plan))
  }
}
