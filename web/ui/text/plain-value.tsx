import { isPlainObject, textOf } from './plain-text.ts'

/** Any value of a JSON file for reading: text with its line breaks, a list as a list, an object by its keys. */
function PlainValue({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="text-muted">–</span>
    return (
      <ul className="list-disc space-y-0.5 pl-4">
        {value.map((item, index) => (
          <li key={index}>
            <PlainValue value={item} />
          </li>
        ))}
      </ul>
    )
  }
  if (isPlainObject(value)) {
    return (
      <ul className="space-y-0.5">
        {Object.entries(value).map(([key, inner]) => (
          <li key={key} className="break-words">
            <span className="text-muted">{key}:</span>{' '}
            {isPlainObject(inner) ? textOf(inner) : <PlainValue value={inner} />}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <span dir="auto" className="break-words whitespace-pre-wrap">
      {textOf(value)}
    </span>
  )
}

type KeyValuesProps = { entries: readonly (readonly [string, unknown])[] }

/** Keys with their values under them. */
export function KeyValues({ entries }: KeyValuesProps) {
  return (
    <dl className="space-y-2">
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt className="text-small font-medium text-muted">{key}</dt>
          <dd className="min-w-0">
            <PlainValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
