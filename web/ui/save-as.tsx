import { Download } from 'lucide-react'
import { Button } from './button.tsx'

/** Buttons that save what a page shows as a file of either format. */
export function SaveAs({ save }: { save: (format: 'csv' | 'jsonl') => void }) {
  return (
    <div className="flex gap-2 sm:ml-auto">
      <Button onClick={() => save('csv')}>
        <Download size={14} aria-hidden />
        CSV
      </Button>
      <Button onClick={() => save('jsonl')}>
        <Download size={14} aria-hidden />
        JSONL
      </Button>
    </div>
  )
}
