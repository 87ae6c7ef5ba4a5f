import { ContractError } from '@groundswell/contract/errors.ts'
import { getEval, listEvalProblems, listEvals } from '@groundswell/contract/evaluation/evals.ts'
import { BrokenFile } from '../../platform/files/json-folder.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { evalFiles } from './eval-files.ts'

/** The sessions of automated evaluation, read from their folder; for administrators. */
export function evalRoutes(services: Services): Handler[] {
  const files = evalFiles(services.config)
  return [
    handle(listEvals, () => files.names()),

    handle(listEvalProblems, async () => ({ problems: await files.problems() })),

    handle(getEval, async ({ query: { filename } }) => {
      try {
        const session = await files.read(filename)
        if (session) return session
      } catch (error) {
        if (!(error instanceof BrokenFile)) throw error
        throw new ContractError('invalid_input', `This file cannot be used. ${error.message}.`, {
          filename: error.message,
        })
      }
      throw new ContractError('not_found', 'There is no such eval file')
    }),
  ]
}
