import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { checkedJson, notModified, type PreparedReply, preparedJson } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { readRevision } from '../workspaces/index.ts'
import type { Revisions } from './revision.ts'

/** Part of the reply's version: increment it when the same rows are shown differently. */
const FORMAT = 1
const MAX_BYTES = 16 * 1024 * 1024

/**
 * A reply that changes only when the workspace's revision does, cached as bytes: a poll that finds nothing new makes no query. `read` is
 * called after the revision was read, so that no change is missed. `epoch`: what else the reply depends on, such as the week.
 */
export class RevisionedReply<R extends Route> {
  readonly #services: Pick<Services, 'db'>
  readonly #revisions: Revisions
  readonly #route: R
  readonly #read: (tx: Tx, workspaceId: string) => Promise<ReplyOf<R>>
  readonly #epoch: () => number
  readonly #cached = new Map<string, { revision: number; epoch: number; json: Buffer }>()

  constructor(
    services: Pick<Services, 'db'>,
    revisions: Revisions,
    route: R,
    read: (tx: Tx, workspaceId: string) => Promise<ReplyOf<R>>,
    epoch: () => number = () => 0,
  ) {
    this.#services = services
    this.#revisions = revisions
    this.#route = route
    this.#read = read
    this.#epoch = epoch
  }

  /** The reply to a poll: 304 when the client already has it. */
  async reply(workspaceId: string, clientHas: (version: string) => boolean): Promise<PreparedReply> {
    const known = this.#revisions.get(workspaceId)
    const epoch = this.#epoch()
    if (known !== undefined && clientHas(versionOf(known, epoch))) return notModified(versionOf(known, epoch))
    const cached = this.#cached.get(workspaceId)
    const isCurrent = cached?.revision === known && cached?.epoch === epoch
    const { revision, json } = cached && isCurrent ? cached : await this.#build(workspaceId, epoch)
    const version = versionOf(revision, epoch)
    return clientHas(version) ? notModified(version) : preparedJson(json, version)
  }

  async #build(workspaceId: string, epoch: number): Promise<{ revision: number; json: Buffer }> {
    const built = await this.#revisions.readAndCache(workspaceId, async () => {
      const value = await inWorkspace(this.#services.db, workspaceId, async (tx) => {
        const revision = await readRevision(tx, workspaceId)
        return { revision, epoch, json: Buffer.from(checkedJson(this.#route, await this.#read(tx, workspaceId))) }
      })
      return { revision: value.revision, value }
    })
    this.#cached.delete(workspaceId)
    this.#cached.set(workspaceId, built)
    this.#evict()
    return built
  }

  /** Drops the replies that were built first until the rest fits. */
  #evict(): void {
    let total = 0
    for (const { json } of this.#cached.values()) total += json.length
    for (const [workspaceId, { json }] of this.#cached) {
      if (total <= MAX_BYTES || this.#cached.size === 1) return
      this.#cached.delete(workspaceId)
      total -= json.length
    }
  }
}

function versionOf(revision: number, epoch: number): string {
  return `${FORMAT}-${epoch}-${revision}`
}
