import { getTagProgress } from '@groundswell/contract/insights/tags.ts'
import type { Tag } from '@groundswell/contract/settings.ts'
import { useQuery } from '@tanstack/react-query'
import { Progress } from '../../ui/progress.tsx'
import { call } from '../client/index.ts'

const LOOK_AGAIN_MS = 1_500

/** The progress of finding the values of saved tags. Nothing once all are done, and on a server without that number. */
export function TagProgress({ saved }: { saved: readonly Tag[] }) {
  const { data } = useQuery({
    queryKey: ['tag-progress', saved],
    queryFn: () => call(getTagProgress, {}),
    retry: false,
    refetchInterval: ({ state }) => (state.data && state.data.done < state.data.all ? LOOK_AGAIN_MS : false),
  })
  if (!data || data.done >= data.all) return null
  return (
    <div role="status" className="mt-3 flex flex-col gap-1.5 text-muted">
      <p className="tabular-nums">
        Setting tags: {data.done} of {data.all} insights.
      </p>
      <Progress label="Setting tags" value={data.done} total={data.all} />
    </div>
  )
}
