import { type PushPreview, previewPush } from '@groundswell/contract/deliveries.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

/** What a push to this destination would send now; without an issue number, of the insight with the most mentions. */
export function usePreview(tile: string, issueNumber: number | undefined) {
  return useQuery({
    queryKey: ['push-preview', tile, issueNumber ?? null],
    queryFn: (): Promise<PushPreview> =>
      call(previewPush, {
        params: { tile },
        query: issueNumber === undefined ? {} : { issue_number: issueNumber },
      }),
    enabled: tile !== '',
    retry: false,
    gcTime: 0,
  })
}
