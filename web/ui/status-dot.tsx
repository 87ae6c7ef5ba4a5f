import clsx from 'clsx'

const dots = { grey: 'bg-idle-dot', orange: 'bg-warn-dot', green: 'bg-good', red: 'bg-bad' }

/** The colours of a status. */
export type DotColour = keyof typeof dots

/** A coloured dot and its word. */
export function StatusDot({ colour, label }: { colour: DotColour; label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-small text-muted">
      <span aria-hidden data-colour={colour} className={clsx('size-2 rounded-full', dots[colour])} />
      {label}
    </span>
  )
}
