import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Finding } from '../checkup/index.ts'
import { ModelFailure } from '../models/index.ts'
import { modelOf, spaceOf } from './embedder.ts'
import { embedderOf } from './open-embedder.ts'
import * as store from './store.ts'
import { readTrouble } from './trouble.ts'

const REACH_MS = 10_000

/** What there is to say about the embedding model: whether one is set up, answers, and how far it is. Asks it about one word. */
export async function checkEmbeddings(services: Services): Promise<Finding[]> {
  const settings = services.config.embeddings
  if (!settings) return [{ state: 'ok', what: 'No embedding model is set up: feedback is grouped by its words.' }]
  const findings = [await reach(services, spaceOf(settings))]
  const trouble = await readTrouble(services)
  if (trouble) {
    findings.push({
      state: 'problem',
      what: `The embedding model makes no vectors since ${trouble.since.toISOString()}: ${trouble.what}.`,
      advice: 'Until it does, new feedback is grouped by its words.',
    })
  }
  const total = { workspaces: 0, embedded: 0, statements: 0 }
  for (const id of await withoutWorkspace(services.db, store.readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      const choice = await store.readChoice(tx, id)
      if (choice === '') return
      const { embedded, statements } = await store.countVectors(tx, id, choice)
      total.workspaces++
      total.embedded += embedded
      total.statements += statements
    })
  }
  const { workspaces, embedded, statements } = total
  const what = `Workspaces that group with a model: ${workspaces}. Statements with a vector: ${embedded} of ${statements}.`
  return [...findings, { state: 'ok', what }]
}

async function reach(services: Services, space: string): Promise<Finding> {
  const embedder = embedderOf(services)
  try {
    await embedder?.embed(['hello'], AbortSignal.timeout(REACH_MS))
    return { state: 'ok', what: `The embedding model is ${modelOf(space)}, which answers.` }
  } catch (error) {
    const why = error instanceof ModelFailure ? error.message : 'it does not answer in time'
    return { state: 'problem', what: `The embedding model ${modelOf(space)} cannot be used: ${why}.` }
  } finally {
    await embedder?.close?.()
  }
}
