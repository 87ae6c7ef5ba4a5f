import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { type Telling, tellings } from '@groundswell/fixtures/engine/sentences.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { groupNow } from '../grouping/run.ts'
import type { GroupingModel, VectorSource } from '../grouping/vector-source.ts'
import { vectorsStored } from '../grouping/vectors-stored.ts'
import type { World } from '../testing.ts'

/** A stand-in for a sentence encoder whose vectors arrive late: it is told what each text is about. */
export class Meanings implements VectorSource {
  readonly #about = new Map<string, Telling>()

  learn(messages: readonly Telling[]): void {
    for (const message of messages) this.#about.set(message.text, message)
  }

  async model(): Promise<GroupingModel> {
    return { space: 'meanings', languages: null, late: true }
  }

  async stored(
    _tx: Tx,
    _workspaceId: string,
    _space: string,
    statements: readonly { itemId: string; number: number; text: string }[],
  ): Promise<Map<string, Float32Array>> {
    const found = statements.flatMap(({ itemId, number, text }): [string, Float32Array][] => {
      const told = this.#about.get(text)
      return told ? [[`${itemId}:${number}`, meaningOf(told.about, told.id)]] : []
    })
    return new Map(found)
  }

  async withVectors(_tx: Tx, _workspaceId: string, _space: string, itemIds: readonly number[]): Promise<number[]> {
    return [...itemIds]
  }

  async fresh(): Promise<Map<string, Float32Array>> {
    return new Map()
  }
}

/** A workspace whose messages have no word in common: only what they are about connects them. */
export class MeantWorkspace {
  readonly world: World
  readonly workspace: string
  readonly meanings: Meanings

  constructor(world: World, workspace: string, meanings = new Meanings()) {
    this.world = world
    this.workspace = workspace
    this.meanings = meanings
  }

  /** Stores `each` messages per subject, each by a different person, whose ids begin with `prefix`. */
  async tell(subjects: readonly string[], each: number, prefix: string): Promise<void> {
    await this.say(tellings(subjects, each, prefix))
  }

  /** Stores messages, each by a different person. */
  async say(messages: readonly Telling[]): Promise<void> {
    this.meanings.learn(messages)
    await this.world.store(
      this.workspace,
      messages.map(({ id, text }, n) => ({
        id,
        text,
        author: `person ${id}`,
        at: new Date(Date.UTC(2026, 1, 1, 0, n)),
      })),
    )
  }

  async group(services = this.world.services): Promise<void> {
    await groupNow(services, this.workspace, { changed: async () => undefined, vectors: this.meanings })
  }

  /** Groups by words, then has the vectors of these messages (default: all) arrive, and groups again. */
  async understand(prefix = '', services = this.world.services): Promise<void> {
    await this.group(services)
    await this.world.inside(this.workspace, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select id from feedback_item where starts_with(external_id, ${prefix})`.execute(tx)
      await vectorsStored(services, this.meanings)(
        tx,
        this.workspace,
        rows.map(({ id }) => id),
      )
    })
    await this.group(services)
  }

  /** What was stored and grouped, by the id of the message. */
  async places(): Promise<Map<string, { id: string; kind: string; issue: number | null; emerging: number | null }>> {
    const { rows } = await this.world.inside(this.workspace, (tx) =>
      sql<{ message: string; id: string; kind: string; issue: number | null; emerging: number | null }>`
        select item.external_id as message, s.item_id || ':' || s.number as id, s.kind, s.issue_number as issue,
          s.emerging_number as emerging
        from statement s join feedback_item item on item.id = s.item_id order by item.id, s.number`.execute(tx),
    )
    return new Map(rows.map(({ message, ...row }) => [message, row]))
  }
}
