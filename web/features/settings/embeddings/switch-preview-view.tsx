import type { SwitchExample, SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import { Link } from 'react-router'
import { EXAMPLE_KINDS, exampleText, figuresOf, previewText } from './embedding-text.ts'

/** What a switch would change: figures, and a few of the largest insights of each kind by name. */
export function SwitchPreviewView({ preview }: { preview: SwitchPreview }) {
  return (
    <>
      <p>{previewText(preview)}</p>
      <ul aria-label="Insights" className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        {figuresOf(preview).map(({ count, label }) => (
          <li key={label} className={count === 0 ? 'text-muted' : undefined}>
            <span className="block text-title font-semibold tabular-nums">{count.toLocaleString()}</span>
            <span className="text-muted">{label}</span>
          </li>
        ))}
      </ul>
      {EXAMPLE_KINDS.map(({ kind, title }) => {
        const some = preview.examples.filter((one) => one.kind === kind)
        return some.length === 0 ? null : (
          <section key={kind} aria-label={title}>
            <h4 className="text-small font-medium text-muted">{title}</h4>
            <ul className="mt-1 rounded border border-line">
              {some.map((one, place) => (
                <Example key={one.issue_number ?? `new ${place}`} example={one} />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

function Example({ example }: { example: SwitchExample }) {
  const { issue_number, name } = example
  return (
    <li className="border-b border-line px-3 py-2 last:border-0">
      {issue_number === null ? (
        <p dir="auto" className="font-medium break-words">
          {name}
        </p>
      ) : (
        <Link
          dir="auto"
          to={`/insights?issue=${issue_number}`}
          className="block rounded-small font-medium break-words text-accent hover:underline"
        >
          #{issue_number} {name}
        </Link>
      )}
      <p dir="auto" className="text-small break-words text-muted">
        {exampleText(example)}
      </p>
    </li>
  )
}
