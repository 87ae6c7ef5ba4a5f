import {
  type CorrectionRequest,
  listCorrections,
  previewCorrection,
  whyHere,
} from '@groundswell/contract/corrections.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PROGRESS_POLL_MS } from '../../../ui/constants.ts'
import { call } from '../../client/index.ts'

/** The first part of the keys of queries for corrections of an insight. */
export const CORRECTIONS = 'corrections'
/** The first part of the keys of queries for why a mention is in its insight. */
export const WHY = 'why-here'

/** The corrections of one insight, newest first; requested every second while one waits. */
export function useCorrections(issueNumber: number, version: string, enabled: boolean) {
  return useQuery({
    queryKey: [CORRECTIONS, issueNumber, version],
    queryFn: async () => (await call(listCorrections, { params: { issue_number: issueNumber } })).corrections ?? [],
    enabled,
    placeholderData: (before, query) => (query?.queryKey[1] === issueNumber ? before : undefined),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'waiting') ? PROGRESS_POLL_MS : false),
  })
}

/** What a correction would change. Requested each time, because it must be current. */
export function usePreview(issueNumber: number, body: CorrectionRequest | null) {
  return useQuery({
    queryKey: ['correction-preview', issueNumber, body],
    queryFn: async () => {
      if (body === null) return []
      return (await call(previewCorrection, { params: { issue_number: issueNumber }, body })).changes
    },
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Why a mention is where it is. */
export function useWhy(issueNumber: number, mentionId: string) {
  return useQuery({
    queryKey: [WHY, issueNumber, mentionId],
    queryFn: () => call(whyHere, { params: { issue_number: issueNumber, id: mentionId } }),
    retry: false,
  })
}
