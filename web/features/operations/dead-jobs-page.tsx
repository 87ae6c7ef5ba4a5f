import { discardDeadJob, listDeadJobs, rerunDeadJob } from '@groundswell/contract/operations.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { POLL_INTERVAL_MS } from '../../ui/constants.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { TableSkeleton } from '../../ui/table/table-skeleton.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'

/** For admins: failed background jobs, to be run again or discarded. */
export function DeadJobsPage() {
  const client = useQueryClient()
  const jobs = useQuery({
    queryKey: ['dead-jobs'],
    queryFn: () => call(listDeadJobs, {}),
    refetchInterval: POLL_INTERVAL_MS,
  })
  const act = useMutation({
    mutationFn: ({ id, again }: { id: string; again: boolean }) =>
      call(again ? rerunDeadJob : discardDeadJob, { params: { id } }),
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['dead-jobs'] }),
  })
  return (
    <Page title="Background jobs" lead="Jobs that failed after all retries.">
      {jobs.isPending ? (
        <TableSkeleton label="Background jobs" columns={['Job', 'Reason']} />
      ) : jobs.isError ? (
        <EmptyState
          title="The jobs could not be loaded"
          actions={<Button onClick={() => void jobs.refetch()}>Try again</Button>}
        >
          {jobs.error.message}
        </EmptyState>
      ) : jobs.data.jobs.length === 0 ? (
        <EmptyState icon={<CircleCheck size={24} aria-hidden />} title="No failed jobs">
          Every background job has succeeded or is still being retried.
        </EmptyState>
      ) : (
        <ul className="overflow-hidden rounded border border-line bg-surface">
          {jobs.data.jobs.map((job) => (
            <li
              key={job.id}
              className="flex flex-wrap items-start gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-0"
            >
              <div className="min-w-48 flex-1">
                <p className="font-medium">{job.job}</p>
                <p className="break-words">{job.reason}</p>
                <p className="mt-1 text-small text-muted">
                  {job.tries} {job.tries === 1 ? 'try' : 'tries'} · {formatMoment(job.failed_at)}
                </p>
                <p className="font-mono text-small break-all text-muted">{JSON.stringify(job.data)}</p>
              </div>
              <div className="flex gap-2">
                <Button disabled={act.isPending} onClick={() => act.mutate({ id: job.id, again: true })}>
                  Run again
                </Button>
                <Button look="danger" disabled={act.isPending} onClick={() => act.mutate({ id: job.id, again: false })}>
                  Discard
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
