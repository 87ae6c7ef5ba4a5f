import {
  deleteInsight,
  type Insight,
  listInsights,
  pushInsight,
  restoreInsight,
} from '@groundswell/contract/insights.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS } from '../../ui/constants.ts'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call, logFailure } from '../client/index.ts'

const INSIGHTS = ['insights'] as const

/**
 * All insights, asked for again every 15 s while the page is seen and at once when it is seen again. A failure is logged
 * only; what was there stays.
 */
export function useInsights() {
  return useQuery({
    queryKey: INSIGHTS,
    queryFn: async () => {
      try {
        return await call(listInsights, {})
      } catch (error) {
        logFailure('Insights could not be loaded')(error)
        throw error
      }
    },
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
  })
}

/** Push and Delete. A deleted insight leaves the list at once and can be brought back from the toast. */
export function useInsightActions() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: INSIGHTS })

  const push = useMutation({
    mutationFn: (insight: Insight) => call(pushInsight, { params: { issue_number: insight.issue_number }, body: {} }),
    onSuccess: (_, insight) => {
      toast({ title: 'Pushed', description: `“${insight.issue_name}” is on its way.` })
      void client.invalidateQueries({ queryKey: ['deliveries'] })
    },
    onError: (error) => toast({ title: 'Not pushed', description: pushProblem(error), tone: 'destructive' }),
    onSettled: refresh,
  })

  const restore = useMutation({
    mutationFn: (insight: Insight) => call(restoreInsight, { params: { issue_number: insight.issue_number } }),
    onError: (error) => toast({ title: 'Not restored', description: error.message, tone: 'destructive' }),
    onSettled: refresh,
  })

  const remove = useMutation({
    mutationFn: (insight: Insight) => call(deleteInsight, { params: { issue_number: insight.issue_number } }),
    onMutate: async (insight) => {
      await client.cancelQueries({ queryKey: INSIGHTS })
      client.setQueryData<Insight[]>(INSIGHTS, (all) => all?.filter((one) => one.issue_number !== insight.issue_number))
    },
    onSuccess: (_, insight) =>
      toast({
        title: 'Insight deleted',
        description: insight.issue_name,
        action: { label: 'Undo', run: () => restore.mutate(insight) },
      }),
    onError: (error) => toast({ title: 'Not deleted', description: error.message, tone: 'destructive' }),
    onSettled: refresh,
  })

  return { push: push.mutate, remove: remove.mutate, busy: push.isPending }
}

function pushProblem(error: Error): string {
  if (error instanceof CallError && error.code === 'not_configured') {
    return 'No destination is connected yet. Connect one under Integrations.'
  }
  return error.message
}
