import { ContractError } from '@groundswell/contract/errors.ts'
import {
  type EvalSession,
  getEval,
  getEvalPages,
  listEvalProblems,
  listEvalScores,
  listEvals,
  MAX_SCORES,
  restoreEvalScore,
  setEvalScore,
} from '@groundswell/contract/evaluation/evals.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { BrokenFile } from '../../platform/files/json-folder.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import { PreparedReply } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { evalFiles } from './eval-files.ts'
import { readScores, removeScore, writeScore } from './score-store.ts'
import type { SessionPages } from './session-pages.ts'

/** The sessions that a workspace itself has, besides the files of the installation. Their names differ from those of files. */
export type OwnSessions = {
  names(workspaceId: string): Promise<string[]>
  /** Null when the workspace has no such session. */
  read(workspaceId: string, name: string): Promise<EvalSession | null>
}

const NONE: OwnSessions = { names: async () => [], read: async () => null }

/** The sessions of automated evaluation, read from their folder and from the workspace, and the scores that people give in them; for administrators. */
export function evalRoutes(services: Services, own: OwnSessions = NONE): Handler[] {
  const files = evalFiles(services.config)
  const ofCaller = ({ workspaceId, accountId }: Caller, filename: string) => ({ workspaceId, accountId, filename })
  return [
    handle(listEvals, async ({ caller }) => [...(await files.names()), ...(await own.names(caller.workspaceId))]),

    handle(listEvalProblems, async () => ({ problems: await files.problems() })),

    handle(getEval, async ({ caller, query: { filename } }) => {
      const json = await usable(files.read(filename))
      if (json !== null) return new PreparedReply(200, {}, json)
      const session = await own.read(caller.workspaceId, filename)
      if (session) return session
      throw noFile()
    }),

    handle(getEvalPages, async ({ caller, query: { filename, from, count } }) => {
      const pages =
        (await usable(files.readPages(filename, from, count))) ??
        pagesOf(await own.read(caller.workspaceId, filename), from, count)
      if (!pages) throw noFile()
      if (from > 0 && from >= pages.total)
        throw new ContractError('invalid_input', `It has ${pages.total} response evaluations`, {
          from: `must be less than ${pages.total}`,
        })
      return pages
    }),

    handle(listEvalScores, ({ caller, query: { filename } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        scores: await readScores(tx, ofCaller(caller, filename)),
      })),
    ),

    handle(setEvalScore, async ({ caller, body: { filename, ...given } }) => {
      const names = [...(await files.names()), ...(await own.names(caller.workspaceId))]
      if (!names.includes(filename)) throw noFile()
      const score = { ...given, scored_at: services.now().toISOString() }
      await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        if (await writeScore(tx, ofCaller(caller, filename), score, MAX_SCORES)) return
        throw new ContractError('conflict', `You already have ${MAX_SCORES} scores in this file`)
      })
      return score
    }),

    handle(restoreEvalScore, ({ caller, body: { filename, ...place } }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        restored: await removeScore(tx, ofCaller(caller, filename), place),
      })),
    ),
  ]
}

function pagesOf(session: EvalSession | null, from: number, count: number): SessionPages | null {
  if (!session) return null
  const { evaluators, response_evaluations: all } = session
  return { total: all.length, evaluators, response_evaluations: all.slice(from, from + count) }
}

/** What was read; a file that cannot be used is refused with the reason. */
async function usable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    throw new ContractError('invalid_input', `This file cannot be used. ${error.message}.`, {
      filename: error.message,
    })
  }
}

function noFile(): ContractError {
  return new ContractError('not_found', 'There is no such eval file')
}
