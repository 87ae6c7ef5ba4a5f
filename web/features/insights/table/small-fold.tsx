import { countBy } from '@groundswell/contract/settings.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useUserData } from '../../accounts/index.ts'

type SmallFoldProps = { count: number; open: boolean; onOpen: (open: boolean) => void }

/** Below the last row: how many insights have too little evidence to be pushed, and whether they are in the table. */
export function SmallFold({ count, open, onOpen }: SmallFoldProps) {
  const settings = useUserData()?.settings
  // Copies of one text count once.
  const why = settings ? `fewer than ${settings.min_inputs} different ${countBy(settings)}, so not pushed yet` : ''
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={() => onOpen(!open)}
      className="sticky left-0 flex h-11 w-full max-w-[100vw] items-center gap-2 px-4 text-left hover:bg-hover md:px-6"
    >
      {open ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
      <span className="font-medium">Small</span>
      <span className="text-muted tabular-nums">{count}</span>
      <span className="truncate text-small text-muted">
        {open ? `Shown among the others: ${why}` : why.replace('fewer', 'Fewer')}
      </span>
    </button>
  )
}
