import { TriangleAlert } from 'lucide-react'

type FileProblemListProps = { problems: readonly { filename: string; reason: string }[] }

/** Files that cannot be used, each with the reason; nothing when all can. */
export function FileProblemList({ problems }: FileProblemListProps) {
  if (problems.length === 0) return null
  return (
    <details className="mt-3 rounded border border-line bg-warn-soft px-3 py-2">
      <summary className="cursor-pointer font-medium text-warn">
        <TriangleAlert size={14} aria-hidden className="mr-2 inline align-[-2px]" />
        {problems.length === 1 ? '1 file cannot be used' : `${problems.length} files cannot be used`}
      </summary>
      <ul className="mt-2 space-y-1">
        {problems.map(({ filename, reason }) => (
          <li key={filename} className="break-words">
            <span className="font-mono text-small">{filename}</span>: {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}
