import { signed } from '../../../ui/text/plural.ts'

/** `+3`: by how many mentions an insight has more than at the person's last visit, or `−3` fewer; nothing where it has as many. */
export function AddedCount({ added }: { added: number }) {
  if (added === 0) return null
  return (
    <span
      className="ml-1.5 text-small font-medium text-accent tabular-nums"
      title={`${signed(added)} since your last visit`}
    >
      {signed(added)}
      <span className="sr-only"> since your last visit</span>
    </span>
  )
}
