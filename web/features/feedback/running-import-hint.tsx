import { Link } from 'react-router'
import { Progress } from '../../ui/progress.tsx'
import { useHasExtras } from '../operations/index.ts'
import { isGoingOn, useImports } from './import-queries.ts'
import { importShare, importText } from './import-words.ts'

/** The progress of the running import in one line; nothing when none is running. */
export function RunningImportHint() {
  const running = useImports(useHasExtras()).data?.find(isGoingOn)
  if (!running) return null
  const { value, total } = importShare(running)
  return (
    <Link
      to={`/import?import=${running.id}`}
      className="mx-4 mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-line bg-surface px-4 py-2 hover:bg-hover md:mx-6"
    >
      <span className="min-w-0 truncate font-medium">{running.name}</span>
      <span className="text-muted tabular-nums">{importText(running)}</span>
      <span className="w-full sm:ml-auto sm:w-40">
        <Progress label={`Import of ${running.name}`} value={value} total={total} />
      </span>
    </Link>
  )
}
