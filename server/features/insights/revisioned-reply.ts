import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { checkedJson, notModified, type PreparedReply, preparedJson } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { readRevision } from '../workspaces/index.ts'
import type { Revisions } from './revision.ts'

/** Part of the reply's version: increment it when the same rows are shown differently. */
const FORMAT = 1
const MAX_BYTES = 16 * 1024 * 1024
const MAX_REPLIES = 1_000

type Cached = { revision: number; json: Buffer }

/**
 * A reply that changes only when the workspace's revision does, cached as bytes: a poll that finds nothing new makes no query. `read` is
 * called after the revision was read, so that no change is missed. `variant`: what it depends on besides the revision, as text without
 * spaces; the empty text where nothing.
 */
export class RevisionedReply<R extends Route> {
  readonly #services: Pick<Services, 'db'>
  readonly #revisions: Revisions
  readonly #route: R
  readonly #read: (tx: Tx, workspaceId: string, variant: string) => Promise<ReplyOf<R>>
  /** By workspace and variant. */
  readonly #cached = new Map<string, Cached>()

  constructor(
    services: Pick<Services, 'db'>,
    revisions: Revisions,
    route: R,
    read: (tx: Tx, workspaceId: string, variant: string) => Promise<ReplyOf<R>>,
  ) {
    this.#services = services
    this.#revisions = revisions
    this.#route = route
    this.#read = read
  }

  /** The reply to a poll: 304 when the client already has it. */
  async reply(workspaceId: string, clientHas: (version: string) => boolean, variant = ''): Promise<PreparedReply> {
    const known = this.#revisions.get(workspaceId)
    if (known !== undefined && clientHas(versionOf(known, variant))) return notModified(versionOf(known, variant))
    const cached = this.#cached.get(keyOf(workspaceId, variant))
    const { revision, json } = cached && cached.revision === known ? cached : await this.#build(workspaceId, variant)
    const version = versionOf(revision, variant)
    return clientHas(version) ? notModified(version) : preparedJson(json, version)
  }

  async #build(workspaceId: string, variant: string): Promise<Cached> {
    const built = await this.#revisions.readAndCache(workspaceId, async () => {
      const value = await inWorkspace(this.#services.db, workspaceId, async (tx) => {
        const revision = await readRevision(tx, workspaceId)
        return { revision, json: Buffer.from(checkedJson(this.#route, await this.#read(tx, workspaceId, variant))) }
      })
      return { revision: value.revision, value }
    })
    const key = keyOf(workspaceId, variant)
    this.#cached.delete(key)
    this.#cached.set(key, built)
    this.#evict()
    return built
  }

  /** Drops the replies that were built first until the rest fits. */
  #evict(): void {
    let total = 0
    for (const { json } of this.#cached.values()) total += json.length
    for (const [key, { json }] of this.#cached) {
      if ((total <= MAX_BYTES && this.#cached.size <= MAX_REPLIES) || this.#cached.size === 1) return
      this.#cached.delete(key)
      total -= json.length
    }
  }
}

function keyOf(workspaceId: string, variant: string): string {
  return `${workspaceId} ${variant}`
}

function versionOf(revision: number, variant: string): string {
  return `${FORMAT}-${revision}${variant && `-${variant}`}`
}
