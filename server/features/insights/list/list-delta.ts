import { INSIGHTS_DELTA } from '@groundswell/contract/insights.ts'
import type { RequestFacts } from '../../../platform/http/handle.ts'
import { PreparedReply } from '../../../platform/http/prepared-reply.ts'

/** An insight as the list shows it, and the revision of the list at which it last changed. */
export type ListedInsight = { issueNumber: number; revision: number; json: Buffer }

const VARIES = { varies: INSIGHTS_DELTA }
/** Changes are sent if they are at most this share of the list. */
const MAX_SHARE = 0.5

/** Whether the client asks for what changed since the version that it has. */
export function wantsDelta({ headers }: RequestFacts): boolean {
  return headers[INSIGHTS_DELTA.toLowerCase()] === 'wanted'
}

/** Nothing changed. */
export function unchanged(version: string): PreparedReply {
  return new PreparedReply(304, { [INSIGHTS_DELTA]: 'offered' }, null, version, VARIES)
}

/** The whole list; it offers what will have changed since. */
export function wholeList(json: Buffer, version: string): PreparedReply {
  return new PreparedReply(200, { [INSIGHTS_DELTA]: 'offered' }, json, version, VARIES)
}

/** What changed, with the version of the list that it leads to. */
export function changesSince(json: Buffer, version: string): PreparedReply {
  return new PreparedReply(200, { [INSIGHTS_DELTA]: 'since' }, json, version, { ...VARIES, isPart: true })
}

/** What a process knows of the changes of a list: what left it since it was first built. */
export class ListHistory {
  readonly #from: number
  readonly #revision: number
  readonly #removed: Map<number, number>
  /** Clients poll at about the same time, with the same few versions. */
  readonly #made = new Map<number, Buffer | null>()

  constructor(revision: number, from = revision, removed: ReadonlyMap<number, number> = new Map()) {
    this.#revision = revision
    this.#from = from
    this.#removed = new Map(removed)
  }

  /** The history of the list as it is at a later revision, to be completed. */
  at(revision: number): ListHistory {
    return new ListHistory(revision, this.#from, this.#removed)
  }

  remove(issueNumber: number): void {
    this.#removed.set(issueNumber, this.#revision)
  }

  add(issueNumber: number): void {
    this.#removed.delete(issueNumber)
  }

  /** An `InsightsDelta` as bytes; null: that revision is not known, or the changes are about as long as the list of `bytes`. */
  since(revision: number, listed: Iterable<ListedInsight>, bytes: number): Buffer | null {
    if (revision < this.#from) return null
    const made = this.#made.get(revision)
    if (made !== undefined) return made
    const json = this.#make(revision, listed)
    const delta = json.length <= bytes * MAX_SHARE ? json : null
    this.#made.set(revision, delta)
    return delta
  }

  #make(since: number, listed: Iterable<ListedInsight>): Buffer {
    const changed = [...listed].filter(({ revision }) => revision > since)
    const removed = [...this.#removed].filter(([, revision]) => revision > since).map(([issueNumber]) => issueNumber)
    const parts = changed.flatMap(({ json }, at) => (at === 0 ? [json] : [Buffer.from(','), json]))
    return Buffer.concat([
      Buffer.from('{"changed":['),
      ...parts,
      Buffer.from(`],"removed":${JSON.stringify(removed)}}`),
    ])
  }
}
