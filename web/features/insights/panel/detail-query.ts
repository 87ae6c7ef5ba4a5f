import { getInsightDetail, setInsightTags, type TagChange } from '@groundswell/contract/insights/insight-detail.ts'
import type { Category, Insight } from '@groundswell/contract/insights.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { INSIGHTS } from '../insight-queries.ts'

/** The first part of the keys of queries for one insight. */
export const DETAIL = 'insight-detail'

/** People, sources, timeline and history of one insight; undefined on a server without that call. */
export function useInsightDetail(issueNumber: number, version: string) {
  return useQuery({
    queryKey: [DETAIL, issueNumber, version],
    queryFn: () => call(getInsightDetail, { params: { issue_number: issueNumber } }),
    placeholderData: (before) => (before?.issue_number === issueNumber ? before : undefined),
  })
}

/** Sets a tag. It is shown immediately; a refusal reverts it with the reason. */
export function useTagChange(insight: Insight) {
  const client = useQueryClient()
  const show = (make: (tags: readonly Category[]) => Category[]) =>
    client.setQueryData<Insight[]>(INSIGHTS, (all) =>
      all?.map((one) =>
        one.issue_number === insight.issue_number ? { ...one, categories: make(one.categories ?? []) } : one,
      ),
    )
  return useMutation({
    mutationFn: (change: TagChange) =>
      call(setInsightTags, { params: { issue_number: insight.issue_number }, body: { changes: [change] } }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: INSIGHTS })
      if ('automatic' in change) return
      show((tags) => withTag(tags, change.cat_name, change.option_value))
    },
    onSuccess: ({ categories }) => {
      show(() => categories.filter((tag) => tag.option_value !== null))
    },
    onError: (error) => toast({ title: 'Tag not saved', description: error.message, tone: 'destructive' }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: INSIGHTS })
      void client.invalidateQueries({ queryKey: [DETAIL, insight.issue_number] })
    },
  })
}

function withTag(tags: readonly Category[], name: string, value: string | number | null): Category[] {
  const others = tags.filter((tag) => tag.cat_name !== name)
  if (value === null) return others
  const before = tags.find((tag) => tag.cat_name === name)
  const tag: Category = {
    cat_name: name,
    cat_type: typeof value === 'number' ? 'number' : 'category',
    option_value: value,
    option_colour: before?.option_value === value ? before.option_colour : null,
    set_by: 'person',
  }
  return before ? tags.map((one) => (one === before ? tag : one)) : [...others, tag]
}
