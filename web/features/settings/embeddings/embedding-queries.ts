import {
  applyEmbeddingSwitch,
  beginEmbeddingSwitch,
  discardEmbeddingSwitch,
  type EmbeddingState,
  getEmbeddings,
} from '@groundswell/contract/embeddings.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../../ui/constants.ts'
import { toast } from '../../../ui/toast-store.ts'
import { CallError, call } from '../../client/index.ts'
import { isUnderWay } from './embedding-words.ts'

const EMBEDDINGS = ['embeddings'] as const

/** The steps of a switch of models. */
export type EmbeddingStep = { step: 'begin'; to: 'offered' | 'words' } | { step: 'apply' | 'discard'; switchId: string }

const FAILED = { begin: 'Not prepared', apply: 'Not applied', discard: 'Not discarded' } as const

/** The embedding model and the newest switch, polled while something is running. Null on a server without that call. */
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
    refetchInterval: ({ state }) => (state.data ? lookAgainMs(state.data) : false),
  })
}

/** Takes a step and shows the server's reply. A refusal is reported and changes nothing. */
export function useEmbeddingStep() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (asked: EmbeddingStep) => {
      if (asked.step === 'begin') return call(beginEmbeddingSwitch, { body: { to: asked.to } })
      const params = { switch_id: asked.switchId }
      return asked.step === 'apply' ? call(applyEmbeddingSwitch, { params }) : call(discardEmbeddingSwitch, { params })
    },
    onError: (error, { step }) => toast({ title: FAILED[step], description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: EMBEDDINGS }),
  })
}

function lookAgainMs({ switch: current, embedded, statements, budget, problem }: EmbeddingState): number | false {
  if (current && isUnderWay(current) && current.state !== 'ready') return PROGRESS_POLL_MS
  return embedded < statements || budget?.spent || problem ? POLL_INTERVAL_MS : false
}
