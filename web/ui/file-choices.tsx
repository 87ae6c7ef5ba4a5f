import { ChevronRight, FileText } from 'lucide-react'

const SHOWN = 8

type FileChoicesProps = {
  /** What the files are. */
  label: string
  names: readonly string[]
  onChoose: (name: string) => void
}

/** The first of some files, each opened by a click. Nothing where there are none. */
export function FileChoices({ label, names, onChoose }: FileChoicesProps) {
  if (names.length === 0) return null
  const more = names.length - SHOWN
  return (
    <div className="mt-4 w-full text-left">
      <ul aria-label={label} className="rounded-large border border-line bg-surface">
        {names.slice(0, SHOWN).map((name) => (
          <li key={name} className="border-b border-line last:border-0">
            <button
              type="button"
              aria-label={`Open ${name}`}
              onClick={() => onChoose(name)}
              className="flex w-full items-center gap-3 px-4 py-2.5 text-left text-text hover:bg-hover"
            >
              <FileText size={16} aria-hidden className="shrink-0 text-muted" />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {name}
              </span>
              <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-2 text-small">And {more} more in the list above.</p> : null}
    </div>
  )
}
