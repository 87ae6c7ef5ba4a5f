import { FileText } from 'lucide-react'
import { TileMark } from '../../connections/index.ts'

/** A source as a sign; its name stands beside it. */
export function SourceMark({ source }: { source: string }) {
  if (source === 'file') return <FileText size={14} aria-hidden className="shrink-0 text-muted" />
  return <TileMark tile={source} />
}
