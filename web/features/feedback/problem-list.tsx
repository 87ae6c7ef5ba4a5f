import type { BadRow } from '@groundswell/contract/feedback.ts'
import { HeadRow } from '../../ui/table/head-row.tsx'

const COLUMNS = [
  { label: 'Line', className: 'w-24 px-3 py-1.5' },
  { label: 'Reason', className: 'px-3 py-1.5' },
]

/** Rows that could not be read, by line, with the reason. Nothing when there are none. */
export function ProblemList({ problems, title }: { problems: readonly BadRow[]; title: string }) {
  if (problems.length === 0) return null
  return (
    <section className="mt-4">
      <h3 className="font-semibold">{title}</h3>
      <div
        className="mt-2 max-h-64 overflow-y-auto rounded border border-line"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <table className="w-full border-collapse">
          <HeadRow columns={COLUMNS} />
          <tbody>
            {problems.map(({ line, reason }, index) => (
              <tr key={index} className="border-b border-line last:border-0">
                <td className="px-3 py-1.5 tabular-nums">{line}</td>
                <td className="px-3 py-1.5 break-words">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
