import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Finding } from '../checkup/index.ts'
import { ModelFailure } from '../models/index.ts'
import { BudgetSpent, type DayUse, readDayUse } from './budget.ts'
import { modelOf, nameOfSpace, spaceOf } from './embedder.ts'
import { AnotherModel, offeredEmbedder } from './offered.ts'
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
      what: `The embedding model has returned no vectors since ${trouble.since.toISOString()}: ${trouble.what}.`,
      advice: 'Until it does, new feedback is grouped by its words.',
    })
  }
  const use = await readDayUse(services)
  if (use) findings.push(budgetOf(use))
  const offered = (await offeredEmbedder(services))?.space ?? ''
  const total = { workspaces: 0, embedded: 0, statements: 0, left: 0 }
  for (const id of await withoutWorkspace(services.db, store.readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      const choice = await store.readChoice(tx, id)
      if (choice === '') return
      const { embedded, statements } = await store.countVectors(tx, id, choice)
      total.workspaces++
      if (choice !== offered && nameOfSpace(choice) === nameOfSpace(offered)) total.left++
      total.embedded += embedded
      total.statements += statements
    })
  }
  const { workspaces, embedded, statements, left } = total
  if (left > 0) {
    findings.push({
      state: 'problem',
      what: `The name ${modelOf(offered)} now refers to another model than before. Workspaces that group with the one before: ${left}.`,
      advice: 'New feedback is grouped by its words there until an admin switches to the model as it is now.',
    })
  }
  const what = `Workspaces that group with a model: ${workspaces}. Statements with a vector: ${embedded} of ${statements}.`
  return [...findings, { state: 'ok', what }]
}

async function reach(services: Services, space: string): Promise<Finding> {
  const embedder = await offeredEmbedder(services)
  const answers: Finding = { state: 'ok', what: `The embedding model is ${modelOf(space)}, which answers.` }
  try {
    await embedder?.embed([], AbortSignal.timeout(REACH_MS))
    return answers
  } catch (error) {
    if (error instanceof AnotherModel) return answers
    if (error instanceof BudgetSpent) {
      return {
        state: 'ok',
        what: `The embedding model is ${modelOf(space)}, which is not asked before tomorrow (UTC).`,
      }
    }
    const why = error instanceof ModelFailure ? error.message : 'it does not answer in time'
    return { state: 'problem', what: `The embedding model ${modelOf(space)} cannot be used: ${why}.` }
  } finally {
    await embedder?.close?.()
  }
}

function budgetOf({ used, perDay, spent }: DayUse): Finding {
  const text = (count: number) => count.toLocaleString('en')
  const what = `${text(used)} of ${text(perDay)} tokens are used today.`
  if (!spent) return { state: 'ok', what }
  return {
    state: 'problem',
    what,
    advice: 'What has no vector yet waits for tomorrow (UTC), or raise EMBEDDINGS_TOKENS_PER_DAY.',
  }
}
