import { getThread } from '@groundswell/contract/insights/thread.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../client/index.ts'

/** The conversation around a mention, loaded when it is opened. */
export function useConversation(issueNumber: number, mentionId: string) {
  return useQuery({
    queryKey: ['conversation', issueNumber, mentionId],
    queryFn: () => call(getThread, { params: { issue_number: issueNumber, id: mentionId } }),
    retry: false,
  })
}
