import { TrendingUp } from 'lucide-react'
import { type Spike, spikeText } from './spike.ts'

/** Marks an insight that is mentioned far more often than before. */
export function SpikeMark({ spike }: { spike: Spike }) {
  const words = spikeText(spike)
  return (
    <span role="img" aria-label={words} title={words} className="inline-flex shrink-0 text-warn">
      <TrendingUp size={14} aria-hidden />
    </span>
  )
}
