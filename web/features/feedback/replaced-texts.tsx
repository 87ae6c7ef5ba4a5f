import { listReplaced, restoreReplaced } from '@groundswell/contract/feedback/import-undo.ts'
import type { Import } from '@groundswell/contract/feedback.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/text/plural.ts'
import { call } from '../client/index.ts'

/** The texts that an import replaced, which can be restored. Nothing when there are none. */
export function ReplacedTexts({ one }: { one: Import }) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const kept = useInfiniteQuery({
    enabled: open && one.restorable > 0,
    queryKey: ['imports', one.id, 'replaced'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => call(listReplaced, { params: { id: one.id }, query: { after: pageParam } }),
    getNextPageParam: (page) => page.next,
  })
  const restore = useMutation({
    mutationFn: (ids: number[] | null) =>
      call(restoreReplaced, { params: { id: one.id }, body: ids ? { item_ids: ids } : {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
  if (one.restorable === 0) return null
  const problem = kept.error ?? restore.error
  return (
    <section className="mt-4 rounded border border-line px-3 py-2" aria-label="Replaced texts">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto">The earlier text of {plural(one.restorable, 'message')} is kept.</p>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
        <Button data-edits busy={restore.isPending} onClick={() => restore.mutate(null)}>
          Restore all
        </Button>
      </div>
      {problem ? (
        <p role="alert" className="mt-2 text-bad">
          {problem.message}
        </p>
      ) : null}
      {open && kept.isPending ? <div className="skeleton mt-2 h-16" role="status" aria-label="Loading" /> : null}
      {open && kept.data ? (
        <ul className="mt-2 max-h-80 overflow-y-auto">
          {kept.data.pages
            .flatMap((page) => page.replaced)
            .map(({ item_id: id, before, after }) => (
              <li key={id} className="flex items-center gap-3 border-t border-line py-2 text-small">
                <span className="min-w-0 flex-1">
                  <del className="block truncate text-muted" dir="auto">
                    {before}
                  </del>
                  <ins className="block truncate no-underline" dir="auto">
                    {after}
                  </ins>
                </span>
                <Button data-edits look="quiet" busy={restore.isPending} onClick={() => restore.mutate([id])}>
                  Restore
                </Button>
              </li>
            ))}
          {kept.hasNextPage ? (
            <li className="border-t border-line py-2">
              <Button busy={kept.isFetchingNextPage} onClick={() => void kept.fetchNextPage()}>
                Show more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  )
}
