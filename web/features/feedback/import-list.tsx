import { formatMoment } from '../../ui/moment.ts'
import { Section } from '../../ui/page.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { isGoingOn, useImports } from './import-queries.ts'
import { importInWords } from './import-words.ts'

/** The imports so far, newest first. */
export function ImportList({ onOpen }: { onOpen: (id: string) => void }) {
  const { data } = useImports()
  if (!data || data.length === 0) return null
  return (
    <Section title="Imports so far">
      <ul className="overflow-hidden rounded border border-line bg-surface">
        {data.map((one) => (
          <li key={one.id} className="border-b border-line last:border-0">
            <button
              type="button"
              onClick={() => onOpen(one.id)}
              className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-left hover:bg-hover"
            >
              <span className="min-w-0 truncate font-medium">{one.name}</span>
              {one.state === 'failed' ? (
                <StatusDot colour="red" label="Failed" />
              ) : isGoingOn(one) ? (
                <StatusDot colour="orange" label="Running" />
              ) : null}
              <span className="min-w-0 truncate text-muted tabular-nums">{importInWords(one)}</span>
              <span className="text-small text-muted sm:ml-auto">{formatMoment(one.started_at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
