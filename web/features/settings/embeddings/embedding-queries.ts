import {
  applyEmbeddingSwitch,
  beginEmbeddingSwitch,
  discardEmbeddingSwitch,
  type EmbeddingState,
  getEmbeddings,
} from '@groundswell/contract/models/embeddings.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../../ui/constants.ts'
import { toast } from '../../../ui/toast-store.ts'
import { CallError, call } from '../../client/index.ts'
import { isOpen } from './embedding-text.ts'

const EMBEDDINGS = ['embeddings'] as const

/** What a workspace can switch to. */
export type SwitchTarget = 'words' | 'builtin' | 'offered'

/** What an admin can do. */
export type EmbeddingStep = { step: 'begin'; to: SwitchTarget } | { step: 'apply' | 'discard'; switchId: string }

const FAILED = { begin: 'Not prepared', apply: 'Not applied', discard: 'Not discarded' } as const

/** The embedding model and the newest switch, polled while something is in progress. Null on a server without this call. */
export function useEmbeddings() {
  return useQuery({
    queryKey: EMBEDDINGS,
    queryFn: async () => {
      try {
        return await call(getEmbeddings, {})
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data ? pollMs(state.data) : false),
  })
}

/** Takes a step and shows the new state. A refusal is shown as a toast and changes nothing. */
export function useEmbeddingStep() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (next: EmbeddingStep) => {
      if (next.step === 'begin') return call(beginEmbeddingSwitch, { body: { to: next.to } })
      const params = { switch_id: next.switchId }
      return next.step === 'apply' ? call(applyEmbeddingSwitch, { params }) : call(discardEmbeddingSwitch, { params })
    },
    onError: (error, { step }) => toast({ title: FAILED[step], description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: EMBEDDINGS }),
  })
}

function pollMs({ switch: current, builtin, embedded, statements, budget, problem }: EmbeddingState): number | false {
  if (current && isOpen(current) && current.state !== 'ready') return PROGRESS_POLL_MS
  const isComplete = embedded >= statements && (builtin === null || builtin.done >= builtin.total)
  return isComplete && !budget?.spent && !problem && !builtin?.problem ? false : POLL_INTERVAL_MS
}
