import {
  type FileProblems,
  getEval,
  getEvalPages,
  listEvalProblems,
  listEvals,
} from '@groundswell/contract/evaluation/evals.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { listOf } from '../../ui/text/plain-text.ts'
import { CallError, call, logFailure } from '../client/index.ts'
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

const NOT_REFETCHED = { refetchOnWindowFocus: false, refetchOnReconnect: false, gcTime: 0 } as const

/** One session. It is as large as its file, so it is not refetched automatically. */
export function useEvalSession(filename: string) {
  return useQuery({
    queryKey: ['evals', 'session', filename],
    queryFn: async () => viewSession(await call(getEval, { query: { filename } })),
    enabled: filename !== '',
    ...NOT_REFETCHED,
  })
}

/**
 * A session, and how many pages it has. `session` is null when the server does not return its file whole, such as one that is too large: then its
 * pages can be loaded with useEvalPage.
 */
export function useOpenedEval(filename: string) {
  return useQuery({
    queryKey: ['evals', 'opened', filename],
    queryFn: async () => {
      try {
        const session = viewSession(await call(getEval, { query: { filename } }))
        return { session, total: session.pages.length }
      } catch (refusal) {
        if (!(refusal instanceof CallError) || refusal.code !== 'invalid_input') throw refusal
        const { total } = await loadPage(filename, 0).catch((error: unknown) => {
          // Another server does not have that call.
          throw error instanceof CallError && error.code === 'not_found' ? refusal : error
        })
        return { session: null, total }
      }
    },
    ...NOT_REFETCHED,
  })
}

/** One page of a session, from 0. `wanted`: whether to load it. */
export function useEvalPage(filename: string, index: number, wanted: boolean) {
  return useQuery({
    queryKey: ['evals', 'page', filename, index],
    queryFn: () => loadPage(filename, index),
    enabled: wanted,
    ...NOT_REFETCHED,
  })
}

async function loadPage(filename: string, index: number) {
  const { total, ...found } = await call(getEvalPages, { query: { filename, from: index, count: 1 } })
  return { total, ...viewSession(found) }
}
