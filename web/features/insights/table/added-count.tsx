/** `+3`: the mentions of an insight that arrived since the person's last visit; nothing where none did. */
export function AddedCount({ added }: { added: number }) {
  if (added === 0) return null
  return (
    <span className="ml-1.5 text-small font-medium text-accent tabular-nums" title={`${added} since your last visit`}>
      +{added}
      <span className="sr-only"> since your last visit</span>
    </span>
  )
}
