import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import { BudgetExhausted, type DayUsage } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import type { Finding } from '../checkup/index.ts'
import { modelOf, nameOfSpace, spaceOf } from './models/embedder.ts'
import { ModelChanged, offeredEmbedder } from './models/offered-embedder.ts'
import { embeddingProvider } from './models/provider.ts'
import * as store from './store.ts'

const TIME_LIMIT_MS = 10_000

/** Checks whether the operator's embedding model works, and reports its budget, and the vectors that workspaces group with. */
export async function checkEmbeddings(services: Services): Promise<Finding[]> {
  const settings = services.config.embeddings
  const findings: Finding[] = settings
    ? await checkOffered(services, spaceOf(settings))
    : [{ state: 'ok', what: 'No embedding model is set up besides the built-in one.' }]
  const offered = (await offeredEmbedder(services))?.space ?? ''
  const total = { workspaces: 0, embedded: 0, statements: 0, onFormer: 0 }
  for (const id of await withoutWorkspace(services.db, allWorkspaces)) {
    await inWorkspace(services.db, id, async (tx) => {
      const choice = await store.readChoice(tx, id)
      if (!choice) return
      const { embedded, statements } = await store.countVectors(tx, id, choice)
      total.workspaces++
      if (choice !== offered && nameOfSpace(choice) === nameOfSpace(offered)) total.onFormer++
      total.embedded += embedded
      total.statements += statements
    })
  }
  const { workspaces, embedded, statements, onFormer } = total
  if (onFormer > 0) {
    findings.push({
      state: 'problem',
      what: `The name ${modelOf(offered)} now refers to a different model. Workspaces that group with the former one: ${onFormer}.`,
      advice: 'There, new feedback is grouped by its words until an admin switches to the current model.',
    })
  }
  const what = `Workspaces that group with a model: ${workspaces}. Statements with its vector: ${embedded} of ${statements}.`
  return [...findings, { state: 'ok', what }]
}

async function checkOffered(services: Services, space: string): Promise<Finding[]> {
  const provider = embeddingProvider(services)
  const findings = [await checkReach(services, space)]
  const outage = await provider.readOutage()
  if (outage) {
    findings.push({
      state: 'problem',
      what: `The embedding model has returned no vectors since ${outage.since.toISOString()}: ${outage.what}.`,
      advice: 'Until it does, new feedback is grouped by its words.',
    })
  }
  const today = await provider.readToday()
  if (today) findings.push(reportBudget(today))
  return findings
}

async function checkReach(services: Services, space: string): Promise<Finding> {
  const embedder = await offeredEmbedder(services)
  const works: Finding = { state: 'ok', what: `The embedding model is ${modelOf(space)}, and it works.` }
  try {
    await embedder?.embed([], AbortSignal.timeout(TIME_LIMIT_MS))
    return works
  } catch (error) {
    if (error instanceof ModelChanged) return works
    if (error instanceof BudgetExhausted) {
      return {
        state: 'ok',
        what: `The embedding model is ${modelOf(space)}, which is not called again before tomorrow (UTC): its daily budget is used up.`,
      }
    }
    const why = error instanceof ModelFailure ? error.message : 'it did not respond in time'
    return { state: 'problem', what: `The embedding model ${modelOf(space)} cannot be used: ${why}.` }
  }
}

function reportBudget({ used, perDay, exhausted }: DayUsage): Finding {
  const text = (count: number) => count.toLocaleString('en')
  const what = `Embedding tokens used today: ${text(used)} of ${text(perDay)}.`
  if (!exhausted) return { state: 'ok', what }
  return {
    state: 'problem',
    what,
    advice: 'Missing vectors are made tomorrow (UTC). To continue today, raise EMBEDDINGS_TOKENS_PER_DAY.',
  }
}
