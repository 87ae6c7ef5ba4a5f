import { createHash } from 'node:crypto'
import type { Correction, CorrectionChange, CorrectionRequest, Why } from '@groundswell/contract/corrections.ts'
import type { Insight, Mention } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { groupNow } from '../grouping/run.ts'
import type { Message, World } from '../testing.ts'

const SUBJECTS = [
  ['CSV export', 'stops after the first thousand rows', 'of every report'],
  ['Password reset mail', 'never arrives in the inbox', 'of our colleagues'],
  ['Dark mode', 'makes the calendar text unreadable', 'on small phones'],
  ['Invoice PDF', 'shows the wrong tax number', 'for German customers'],
] as const
const ENDS = ['', '!', ' 🤯', ' ...', '?!', '.']

/** Messages about four subjects in turn, all worded differently; the same number gives the same message. */
export function messages(count: number, from = 0): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const [what, does, where] = SUBJECTS[n % SUBJECTS.length] as (typeof SUBJECTS)[number]
    const text = `${what} ${does} ${n % 3 === 0 ? where : ''}${ENDS[n % ENDS.length]} (${n})`
    return { id: `m${n}`, text, author: `person ${n % 11}`, at: new Date(Date.UTC(2026, 1, 1, 0, n)) }
  })
}

type Answer<T> = { status: number; body: T }
type Made = { correction_id: string; state: string; changes: CorrectionChange[] }

/** A workspace with insights, and the calls that correct them. */
export class CorrectedWorkspace {
  readonly world: World
  readonly workspace: string

  private constructor(world: World, workspace: string) {
    this.world = world
    this.workspace = workspace
  }

  static async create(world: World, count = 80): Promise<CorrectedWorkspace> {
    const one = new CorrectedWorkspace(world, await world.workspace())
    await world.store(one.workspace, messages(count))
    await one.group()
    return one
  }

  group(services = this.world.services): Promise<number> {
    return groupNow(services, this.workspace)
  }

  request(issue: number, request: CorrectionRequest): Promise<Answer<Made>> {
    return this.#call('POST', `/api/insights/${issue}/corrections`, request)
  }

  preview(issue: number, request: CorrectionRequest): Promise<Answer<{ changes: CorrectionChange[] }>> {
    return this.#call('POST', `/api/insights/${issue}/corrections/preview`, request)
  }

  undo(id: string): Promise<Answer<{ state: string; message: string }>> {
    return this.#call('POST', `/api/corrections/${id}/undo`, {})
  }

  async correction(id: string): Promise<Correction> {
    return (await this.#call<Correction>('GET', `/api/corrections/${id}`)).body
  }

  async corrections(issue: number): Promise<Correction[]> {
    return (await this.#call<{ corrections: Correction[] }>('GET', `/api/insights/${issue}/corrections`)).body
      .corrections
  }

  why(issue: number, mention: string): Promise<Answer<Why>> {
    return this.#call('GET', `/api/insights/${issue}/evidence/${mention}/why`)
  }

  async list(): Promise<Insight[]> {
    return (await this.#call<Insight[]>('GET', '/api/insights/get-all')).body
  }

  async mentions(issue: number): Promise<string[]> {
    const { body } = await this.#call<{ mentions: Mention[] }>('GET', `/api/insights/${issue}/evidence?limit=200`)
    return (body.mentions ?? []).map((mention) => String(mention.id))
  }

  /** Requests a correction, groups, and returns the outcome. */
  async apply(issue: number, request: CorrectionRequest): Promise<Correction> {
    const { body } = await this.request(issue, request)
    await this.group()
    return this.correction(body.correction_id)
  }

  /** The stored name: the list is updated a moment later. */
  async nameOf(issue: number): Promise<string | undefined> {
    const { rows } = await this.world.inside(this.workspace, (tx) =>
      sql<{ name: string }>`select name from insight where issue_number = ${issue}`.execute(tx),
    )
    return rows[0]?.name
  }

  /** The insight of the first mention of a message. */
  async issueOf(externalId: string): Promise<number | null> {
    return (await this.#statement(externalId)).issue
  }

  async mentionOf(externalId: string): Promise<string> {
    return (await this.#statement(externalId)).id
  }

  /** A hash of everything that a correction may change and an undo must restore, for insights up to `last`. */
  async hash(last: number): Promise<string> {
    const rows = await this.world.inside(this.workspace, async (tx) => [
      await sql`
        select s.item_id, s.number, s.kind, s.issue_number, s.emerging_number, s.score, s.reason, s.decided_by, s.decided_at, rule.pin,
          rule.bans, rule.correction_id
        from statement s left join statement_rule rule on rule.item_id = s.item_id and rule.number = s.number
        order by 1, 2`.execute(tx),
      await sql`
        select issue_number, name, summary, described_hash, engine_name, name_by_person, status, hidden, locked, ended_at,
          merged_into, team_status, team_status_by, team_status_at, assigned_to, mention_count, people_count, heard
        from insight where issue_number <= ${last} order by 1`.execute(tx),
    ])
    return createHash('sha256')
      .update(JSON.stringify(rows.map((one) => one.rows)))
      .digest('hex')
  }

  async lastNumber(): Promise<number> {
    const { rows } = await this.world.inside(this.workspace, (tx) =>
      sql<{ last: number }>`select max(issue_number)::int as last from insight`.execute(tx),
    )
    return rows[0]?.last ?? 0
  }

  async #statement(externalId: string): Promise<{ id: string; issue: number | null }> {
    const { rows } = await this.world.inside(this.workspace, (tx) =>
      sql<{ id: string; issue: number | null }>`
        select s.item_id || ':' || s.number as id, s.issue_number as issue
        from statement s join feedback_item item on item.id = s.item_id
        where item.external_id = ${externalId} order by s.number limit 1`.execute(tx),
    )
    return rows[0] ?? { id: '', issue: null }
  }

  async #call<T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Answer<T>> {
    const { status, body } = await this.world.call(this.workspace, method, url, {}, payload)
    return { status, body: body as T }
  }
}
