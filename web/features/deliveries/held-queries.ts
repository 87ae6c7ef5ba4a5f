import { answerHeld, type HeldAnswer, type HeldOffer, listHeld } from '@groundswell/contract/deliveries.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call, logOddity } from '../client/index.ts'
import { useHasExtras } from '../operations/index.ts'

const HELD = ['held'] as const

/** The insights held for each destination until someone decides; nothing on a server without that call. */
export function useHeld() {
  return useQuery({
    queryKey: HELD,
    enabled: useHasExtras(),
    queryFn: async (): Promise<HeldOffer[]> => {
      try {
        return (await call(listHeld, {})).held
      } catch (error) {
        if (!(error instanceof CallError && error.status === 404)) logOddity('No list of held insights', error)
        return []
      }
    },
  })
}

/** Pushes some, all or none of the insights held for one destination. */
export function useAnswerHeld(destination: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (push: HeldAnswer['push']) => call(answerHeld, { body: { push, destination } }),
    onSuccess: ({ pushed, left }) => {
      const kept = left === 0 ? '' : `${left === 1 ? '1 stays' : `${left} stay`} held: push them manually at any time.`
      toast({
        title:
          pushed === 0
            ? 'Nothing was pushed'
            : `${pushed === 1 ? '1 insight is' : `${pushed} insights are`} being pushed`,
        description: kept,
      })
    },
    onError: (error) => toast({ title: 'Push failed', description: error.message, tone: 'destructive' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: HELD }),
        client.invalidateQueries({ queryKey: ['deliveries'] }),
      ]),
  })
}
