import { ContractError } from '@groundswell/contract/errors.ts'
import {
  applyEmbeddingSwitch,
  beginEmbeddingSwitch,
  discardEmbeddingSwitch,
  type EmbeddingState,
  type EmbeddingSwitch,
  getEmbeddings,
  getReading,
} from '@groundswell/contract/models/embeddings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { requestAdvance } from './advance-job.ts'
import { groupingSpace } from './grouping-model.ts'
import { builtinSpace, isBuiltin } from './models/builtin-embedder.ts'
import { readBuiltinState } from './models/builtin-state.ts'
import { modelOf, nameOfSpace, spaceOf } from './models/embedder.ts'
import { readKnown } from './models/known-model-store.ts'
import { embeddingProvider } from './models/provider.ts'
import { readReading } from './reading-store.ts'
import * as store from './store.ts'
import { moveSwitch, readNewest, readSwitch, type SwitchRow, startSwitch } from './switch-store.ts'

const NO_MODEL = 'The server was started without an embedding model: set EMBEDDINGS_MODEL'
const NO_ENCODER = 'The built-in model is switched off or cannot be found on this server'

/** A pass that has not advanced for this long is not shown as one. */
const STALLED_MS = 120_000

/** Shows which embedding model is used, and prepares, applies and discards switches to another one. */
export function embeddingRoutes(services: Services): Handler[] {
  const settings = services.config.embeddings
  const name = settings ? spaceOf(settings) : null
  const inside = <T>(workspaceId: string, work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const offeredSpace = async (tx: Tx) => (name === null ? null : ((await readKnown(tx, name))?.space ?? name))

  return [
    handle(getEmbeddings, async ({ caller }): Promise<EmbeddingState> => {
      const provider = embeddingProvider(services)
      const outage = settings ? await provider.readOutage() : null
      const today = await provider.readToday()
      const builtin = await builtinSpace(services)
      const builtinState = await readBuiltinState(services)
      return inside(caller.workspaceId, async (tx) => {
        const choice = await groupingSpace(services, tx, caller.workspaceId)
        const known = name === null ? null : await readKnown(tx, name)
        const offered = known?.space ?? name
        const newest = await readNewest(tx, caller.workspaceId)
        const counts = await countOf(tx, caller.workspaceId, choice)
        const encoded = builtin === choice ? counts : await countOf(tx, caller.workspaceId, builtin ?? '')
        return {
          offered: settings
            ? { provider: settings.provider, model: modelOf(name ?? ''), where: hostOf(settings.url) }
            : null,
          builtin: builtinState && { ...builtinState, done: encoded.embedded, total: encoded.statements },
          using: choice === '' ? null : modelOf(choice),
          using_builtin: isBuiltin(choice),
          ready: choice === '' || choice === offered || choice === builtin,
          other_since:
            known && choice !== known.space && nameOfSpace(choice) === name ? known.since.toISOString() : null,
          ...counts,
          budget: today && { used: today.used, per_day: today.perDay, spent: today.exhausted },
          problem: outage && {
            what: outage.what,
            since: outage.since.toISOString(),
            paused_until: outage.pausedUntil?.toISOString() ?? null,
          },
          switch: newest && {
            ...viewOf(newest, isBuiltin(newest.toSpace) ? builtinState?.problem : outage),
            ...(newest.toSpace === choice ? counts : await countOf(tx, caller.workspaceId, newest.toSpace)),
          },
        }
      })
    }),

    handle(getReading, ({ caller }) =>
      inside(caller.workspaceId, async (tx) => {
        const found = await readReading(tx, caller.workspaceId)
        const isMoving = found?.endedAt === null && services.now().getTime() - found.movedAt.getTime() < STALLED_MS
        return {
          reading: isMoving ? { done: found.done, total: found.total } : null,
          ended_at: found?.endedAt?.toISOString() ?? null,
        }
      }),
    ),

    handle(beginEmbeddingSwitch, ({ caller, body }) =>
      inside(caller.workspaceId, async (tx) => {
        const { workspaceId, name } = caller
        const to = { words: () => '', offered: () => offeredSpace(tx), builtin: () => builtinSpace(services) }
        const space = await to[body.to]()
        if (space === null) throw conflict(body.to === 'builtin' ? NO_ENCODER : NO_MODEL)
        if (space === '' && (await groupingSpace(services, tx, workspaceId)) === '') {
          throw conflict('Words alone are already in use')
        }
        const id = await startSwitch(tx, workspaceId, space, { name, at: services.now() })
        if (id === null) throw conflict('Another switch is open: apply or discard it first')
        await requestAdvance(services, tx, workspaceId)
        return { switch_id: id }
      }),
    ),

    handle(applyEmbeddingSwitch, ({ caller, params }) =>
      inside(caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        await found(tx, workspaceId, params.switch_id)
        if (!(await moveSwitch(tx, workspaceId, params.switch_id, ['ready'], 'applying'))) {
          throw conflict('Only a switch that is ready can be applied')
        }
        await requestAdvance(services, tx, workspaceId)
        return params
      }),
    ),

    handle(discardEmbeddingSwitch, ({ caller, params }) =>
      inside(caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        await found(tx, workspaceId, params.switch_id)
        const open = ['gathering', 'grouping', 'ready'] as const
        const endedAt = services.now()
        if (!(await moveSwitch(tx, workspaceId, params.switch_id, [...open], 'discarded', { endedAt }))) {
          throw conflict('This switch has already ended or is being applied')
        }
        return params
      }),
    ),
  ]
}

function viewOf(
  one: SwitchRow,
  outage: { what: string } | null | undefined,
): Omit<EmbeddingSwitch, 'embedded' | 'statements'> {
  const isGathering = one.state === 'gathering' && one.toSpace !== ''
  return {
    switch_id: one.id,
    to: one.toSpace === '' ? null : modelOf(one.toSpace),
    state: one.state,
    problem: isGathering && outage ? outage.what : one.problem,
    preview: one.preview,
    began_by: one.beganBy,
    began_at: one.beganAt.toISOString(),
    ended_at: one.endedAt?.toISOString() ?? null,
  }
}

async function countOf(tx: Tx, workspaceId: string, space: string) {
  return space === '' ? { embedded: 0, statements: 0 } : store.countVectors(tx, workspaceId, space)
}

async function found(tx: Tx, workspaceId: string, id: string): Promise<SwitchRow> {
  const one = await readSwitch(tx, workspaceId, id)
  if (!one) throw new ContractError('not_found', 'There is no such switch')
  return one
}

function hostOf(url: string | undefined): string {
  return url === undefined ? 'this machine' : (URL.parse(url)?.host ?? '')
}

function conflict(message: string): ContractError {
  return new ContractError('conflict', message)
}
