import type { TaughtStatement } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { LateWork } from './late-vectors.ts'
import type { KeptKind, KindRequest } from './protocol.ts'
import {
  type KindState,
  readKeptKinds,
  readKindState,
  readTaughtKinds,
  readUndecidedKinds,
  readWaitingKinds,
  storeKindsAfter,
  type WaitingKind,
} from './stores/kind-work-store.ts'
import type { WaitingItem } from './stores/work-store.ts'
import type { GroupingModel, VectorSource } from './vector-source.ts'

/** How many missing kinds one step decides. */
const MAX_UNDECIDED = 4_000
/** How many of the newest kinds that people chose are used for teaching. */
const MAX_TAUGHT = 2_000

/**
 * What the next step has to do about kinds. `waiting`: of people, to be read; `after`: the messages up to this one have their kinds once the
 * step is stored (null: all have; undefined: nothing is known of that); `taught`: see `Step`.
 */
export type KindWork = {
  requests: KindRequest[]
  waiting: WaitingKind[]
  kept: KeptKind[]
  after: number | null | undefined
  taught: string | null
}

/** Nothing to decide, and nothing learned. */
export const noKindWork: KindWork = { requests: [], waiting: [], kept: [], after: undefined, taught: null }

/**
 * Kinds to be decided in the next step: those of people first, of statements whose vectors are late, of edited messages, and of statements from
 * before kinds were known. The last wait while it is unknown which model the workspace groups with.
 */
export async function readKindWork(
  tx: Tx,
  workspaceId: string,
  { late, items }: { late: LateWork; items: readonly WaitingItem[] },
  { model, vectors }: { model: GroupingModel | null; vectors: VectorSource | undefined },
): Promise<KindWork> {
  // Before the version of the rules that people taught: a kind taken back in between must not be decided again by the rule that it taught.
  const waiting = await readWaitingKinds(tx, workspaceId)
  const state = await readKindState(tx, workspaceId)
  const edited = items.filter(({ numbers }) => numbers !== null).map(({ id }) => id)
  const kept = state.taught > 0 ? await readKeptKinds(tx, workspaceId, edited) : []
  const missing =
    state.kindsAfter === null || (vectors && !model)
      ? { requests: [], after: undefined }
      : await readMissing(tx, workspaceId, state.kindsAfter, { model, vectors })
  const byPeople = waiting.map(({ itemId, number, text, kind, point, readKind, saidAt }) => {
    const statementId = `${itemId}:${number}`
    const vector = late.kinds.find((one) => one.statementId === statementId)?.vector
    const decided = { set: kind, read: readKind, alone: true }
    return { statementId, text, point, at: saidAt.getTime(), ...decided, ...(vector ? { vector } : {}) }
  })
  return {
    requests: [...missing.requests, ...late.kinds, ...byPeople],
    waiting,
    kept,
    after: missing.after,
    taught: taughtName(state, model),
  }
}

/** The statements whose kinds are missing, and where the next step continues. */
async function readMissing(
  tx: Tx,
  workspaceId: string,
  after: number,
  { model, vectors }: { model: GroupingModel | null; vectors: VectorSource | undefined },
): Promise<Pick<KindWork, 'requests' | 'after'>> {
  const found = await readUndecidedKinds(tx, workspaceId, after, MAX_UNDECIDED)
  if (found.length === 0) {
    await storeKindsAfter(tx, workspaceId, null)
    return { requests: [], after: undefined }
  }
  const stored = model?.late ? await vectors?.stored(tx, workspaceId, model.space, found) : undefined
  const requests = found.map(({ itemId, number, text, saidAt }) => {
    const statementId = `${itemId}:${number}`
    const vector = stored?.get(statementId)
    const undecided = { point: null, set: null, read: null, alone: false }
    return { statementId, text, at: saidAt.getTime(), ...undecided, ...(vector ? { vector } : {}) }
  })
  // The last message may have more statements than fit.
  return { requests, after: found.length < MAX_UNDECIDED ? null : Number(found.at(-1)?.itemId) - 1 }
}

/** What people's kinds teach now, with the vectors of the built-in encoder, and the name of this version of it. */
export async function readTeaching(
  tx: Tx,
  workspaceId: string,
  { model, vectors }: { model: GroupingModel | null; vectors: VectorSource | undefined },
): Promise<{ taught: string; statements: TaughtStatement[] }> {
  const state = await readKindState(tx, workspaceId)
  const found = await readTaughtKinds(tx, workspaceId, MAX_TAUGHT)
  const stored = model?.late ? await vectors?.stored(tx, workspaceId, model.space, found) : undefined
  const statements = found.map(({ itemId, number, text, kind }) => {
    const vector = stored?.get(`${itemId}:${number}`)
    return vector ? { text, kind, vector } : { text, kind }
  })
  return { taught: taughtName(state, model), statements }
}

function taughtName({ taught }: KindState, model: GroupingModel | null): string {
  return taught === 0 ? '' : `${taught} ${model?.late ? model.space : ''}`
}
