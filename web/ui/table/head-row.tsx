import clsx from 'clsx'

/** The head of a plain table. A column's class sets its width, its padding and from which screen size it is shown. */
export function HeadRow({ columns }: { columns: readonly { label: string; className: string }[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-left text-small text-muted">
        {columns.map(({ label, className }) => (
          <th key={label} scope="col" className={clsx('font-medium', className)}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}
