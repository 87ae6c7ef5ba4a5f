import {
  type CorrectionRequest,
  correctInsight,
  createInsight,
  undoCorrection,
} from '@groundswell/contract/corrections.ts'
import {
  dismissEmerging,
  keepEmerging,
  listEmerging,
  restoreEmerging,
} from '@groundswell/contract/insights/emerging.ts'
import { listSuggestions } from '@groundswell/contract/insights/suggestions.ts'
import { listEvidence, listInsights, listUngrouped } from '@groundswell/contract/insights.ts'
import { type ApiClient, Refused } from './api-client.ts'
import { between, pick, type Random, shuffled } from './random.ts'

/** What the server acknowledged: a correction, and whether it is undone. `unknown`: that call broke off. */
export type Acknowledged = { id: string; said: string; undone: 'no' | 'unknown' | 'yes' }

const PAGE = 200
const MAX_MENTIONS = 12
const KINDS = [
  'merge',
  'split',
  'move',
  'add',
  'create',
  'reject',
  'decline',
  'rename',
  'lock',
  'keep',
  'dismiss',
  'undo',
] as const
/** What is read in mentions is not among them: in these workspaces nothing is. */
type RandomKind = Exclude<CorrectionRequest['kind'], 'point'>
/** The insight changed since the person saw it, or does not exist: a legitimate reply, not a fault. */
const FAIR = new Set([400, 404, 409])

/** A person who corrects insights at random and remembers everything that the server acknowledged. */
export class Corrector {
  readonly acknowledged: Acknowledged[] = []
  /** Replies that no one should get. */
  readonly faults: string[] = []
  /** How many calls broke off: whether the server received them is unknown. */
  broken = 0
  readonly #client: ApiClient
  readonly #random: Random

  constructor(client: ApiClient, random: Random) {
    this.#client = client
    this.#random = random
  }

  /** Makes one correction, of a random kind unless one is given; returns its id, or null when it was not acknowledged. */
  async act(kind: (typeof KINDS)[number] = pick(this.#random, KINDS)): Promise<string | null> {
    try {
      if (kind === 'undo') return await this.#takeBack()
      if (kind === 'keep') return await this.#keep()
      if (kind === 'dismiss') return await this.#dismiss()
      return kind === 'create' ? await this.#create() : await this.#correct(kind)
    } catch (error) {
      if (!(error instanceof Refused)) this.broken += 1
      else if (!FAIR.has(error.status) && error.status < 502) this.faults.push(error.message)
      return null
    }
  }

  /** Undoes the correction with this id. */
  async undo(id: string): Promise<void> {
    const one = this.acknowledged.find((known) => known.id === id)
    try {
      await this.#client.call(undoCorrection, { params: { correction_id: id } })
      if (one) one.undone = 'yes'
    } catch (error) {
      if (one && (!(error instanceof Refused) || error.status >= 500)) one.undone = 'unknown'
      throw error
    }
  }

  async #takeBack(): Promise<string | null> {
    const open = this.acknowledged.filter((one) => one.undone === 'no')
    if (open.length === 0) return null
    const { id } = pick(this.#random, open.slice(-8))
    await this.undo(id)
    return id
  }

  async #create(): Promise<string | null> {
    const mentions = await this.#ungrouped()
    if (mentions.length < 2) return null
    const made = await this.#client.call(createInsight, { body: { mentions } })
    this.acknowledged.push({ id: made.correction_id, said: `an insight of ${mentions.join()}`, undone: 'no' })
    return made.correction_id
  }

  /** Makes an emerging insight a regular one. */
  async #keep(): Promise<string | null> {
    const { insights } = await this.#client.call(listEmerging)
    if (insights.length === 0) return null
    const { emerging_id } = pick(this.#random, insights)
    const made = await this.#client.call(keepEmerging, { params: { emerging_id } })
    this.acknowledged.push({ id: made.correction_id, said: `the emerging ${emerging_id} is kept`, undone: 'no' })
    return made.correction_id
  }

  /** Dismisses an emerging insight, and sometimes restores it. It is no correction, so that there is no id. */
  async #dismiss(): Promise<null> {
    const { insights } = await this.#client.call(listEmerging)
    if (insights.length === 0) return null
    const params = { emerging_id: pick(this.#random, insights).emerging_id }
    await this.#client.call(dismissEmerging, { params })
    if (this.#random() < 0.5) await this.#client.call(restoreEmerging, { params })
    return null
  }

  /** Some mentions that may belong to this insight, or else any that are in none. */
  async #suggested(issueNumber: number): Promise<string[]> {
    const { mentions } = await this.#client.call(listSuggestions, { params: { issue_number: issueNumber } })
    const ids = mentions.flatMap((mention) => mention.id ?? [])
    return ids.length > 0 ? shuffled(this.#random, ids).slice(0, between(this.#random, 1, 3)) : this.#ungrouped()
  }

  /** Some mentions that are in no insight. */
  async #ungrouped(): Promise<string[]> {
    const page = await this.#client.call(listUngrouped, { query: { limit: PAGE } })
    const ids = page.mentions.flatMap((mention) => mention.id ?? [])
    return shuffled(this.#random, ids).slice(0, between(this.#random, 2, MAX_MENTIONS))
  }

  async #correct(kind: RandomKind): Promise<string | null> {
    const insights = await this.#client.call(listInsights)
    if (insights.length < 2) return null
    const [one, other] = shuffled(this.#random, insights)
    if (!one || !other) return null
    const number = one.issue_number
    const body = await this.#request(kind, number, other.issue_number)
    const made = await this.#client.call(correctInsight, { params: { issue_number: number }, body })
    this.acknowledged.push({ id: made.correction_id, said: `${JSON.stringify(body)} of #${number}`, undone: 'no' })
    return made.correction_id
  }

  async #request(kind: RandomKind, number: number, other: number): Promise<CorrectionRequest> {
    const random = this.#random
    if (kind === 'merge') return { kind, into: other }
    if (kind === 'rename') {
      return { kind, name: random() < 0.2 ? null : `Named ${between(random, 1, 1_000_000)} by a person` }
    }
    if (kind === 'lock') return { kind, locked: random() < 0.6 }
    if (kind === 'add' || kind === 'decline') return { kind, mentions: await this.#suggested(number) }
    const page = await this.#client.call(listEvidence, {
      params: { issue_number: number },
      query: { limit: PAGE },
    })
    const ids = page.mentions.flatMap((mention) => mention.id ?? [])
    const mentions = shuffled(random, ids).slice(0, between(random, 1, MAX_MENTIONS))
    return kind === 'move' ? { kind, mentions, to: random() < 0.2 ? null : other } : { kind, mentions }
  }
}
