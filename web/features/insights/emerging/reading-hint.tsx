import { Progress } from '../../../ui/progress.tsx'
import { useMeaningProgress } from '../../feedback/index.ts'

const counts = new Intl.NumberFormat()

/** How far the encoder has read many new messages, such as those of an import; nothing while it reads none. */
export function ReadingHint({ className = '' }: { className?: string }) {
  const reading = useMeaningProgress()
  if (!reading) return null
  const { done, total } = reading
  return (
    <section
      aria-label="Reading for meaning"
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-line bg-surface px-4 py-2 ${className}`}
    >
      <span className="font-medium">Reading for meaning</span>
      <span className="text-muted tabular-nums">
        {counts.format(done)} of {counts.format(total)} messages. Insights grow and new ones emerge as they are read.
      </span>
      <span className="w-full sm:ml-auto sm:w-40">
        <Progress label="Messages read for meaning" value={done} total={total} />
      </span>
    </section>
  )
}
