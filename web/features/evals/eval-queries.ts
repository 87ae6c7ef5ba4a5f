import { type FileProblems, getEval, listEvalProblems, listEvals } from '@groundswell/contract/evaluation/evals.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { listOf } from '../../ui/text/plain-text.ts'
import { call, logFailure } from '../client/index.ts'
import { viewSession } from './session-view.ts'

type Problems = z.infer<typeof FileProblems>['problems']

/** The filenames of the sessions, undefined while they load. A failure is logged and yields none. */
export function useEvalNames(): string[] | undefined {
  const { data } = useQuery({
    queryKey: ['evals', 'names'],
    queryFn: async () => {
      try {
        return listOf(await call(listEvals, {})).filter((name) => typeof name === 'string')
      } catch (error) {
        logFailure('The list of evals')(error)
        return []
      }
    },
  })
  return data
}

/** The unusable files, with reasons; none on a server without that call. */
export function useEvalProblems(): Problems {
  const { data } = useQuery({
    queryKey: ['evals', 'problems'],
    queryFn: async () => {
      const problems: Problems = (await call(listEvalProblems, {}).catch(() => null))?.problems ?? []
      return problems
    },
  })
  return data ?? []
}

/** One session. It is as large as its file, so it is not refetched automatically. */
export function useEvalSession(filename: string) {
  return useQuery({
    queryKey: ['evals', 'session', filename],
    queryFn: async () => viewSession(await call(getEval, { query: { filename } })),
    enabled: filename !== '',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })
}
