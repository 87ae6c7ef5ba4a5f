import { ChevronDown, ChevronRight } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import type { EvalView } from '../session-view.ts'
import { readAnalysis, withAnalysis } from './analysis-address.ts'

const Analysis = lazyPart(async () => (await import('./analysis.tsx')).Analysis, {
  waiting: () => (
    <p role="status" className="py-6 text-center text-muted">
      Loading...
    </p>
  ),
})

type AnalysisPartProps = {
  filename: string
  session: EvalView
  /** The page that is shown, from 0. */
  index: number
  onGoTo: (index: number) => void
}

/** The whole session in numbers, closed until asked for. */
export function AnalysisPart(props: AnalysisPartProps) {
  const [address, setAddress] = useSearchParams()
  const choice = readAnalysis(address)
  const change = (part: Partial<typeof choice>) =>
    setAddress(withAnalysis(address, { ...choice, ...part }), { replace: true })
  return (
    <section aria-label="Analysis" className="mt-2">
      <Button look="quiet" aria-expanded={choice.open} className="-ml-3" onClick={() => change({ open: !choice.open })}>
        {choice.open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        {choice.open ? 'Hide' : 'Show'} analysis
      </Button>
      {choice.open ? <Analysis {...props} choice={choice} onChange={change} /> : null}
    </section>
  )
}
