import { getDirOptions, listComparisonProblems } from '@groundswell/contract/evaluation/comparisons.ts'
import type { FileProblems } from '@groundswell/contract/evaluation/evals.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { listOf } from '../../ui/text/plain-text.ts'
import { call, logFailure } from '../client/index.ts'

type Problems = z.infer<typeof FileProblems>['problems']

/** The names of the directories, undefined while they load. A failure is logged and yields none. */
export function useDirectories(): string[] | undefined {
  const { data } = useQuery({
    queryKey: ['comparisons', 'directories'],
    queryFn: async () => {
      try {
        return listOf(await call(getDirOptions, {})).filter((name) => typeof name === 'string')
      } catch (error) {
        logFailure('The list of directories')(error)
        return []
      }
    },
  })
  return data
}

/** The unusable files of the loaded directory, with reasons; none on a server without that call. */
export function useDirectoryProblems(loadedDirectory: string | null): Problems {
  const { data } = useQuery({
    queryKey: ['comparisons', 'problems', loadedDirectory],
    queryFn: async () => {
      const problems: Problems = (await call(listComparisonProblems, {}).catch(() => null))?.problems ?? []
      return problems
    },
    enabled: loadedDirectory !== null,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  return data ?? []
}
