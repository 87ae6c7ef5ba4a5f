import { ChevronDown, ChevronRight } from 'lucide-react'

type SmallFoldProps = { count: number; threshold: number; open: boolean; onOpen: (open: boolean) => void }

/** Below the last row: how many insights have too little evidence to be pushed, and whether they are in the table. */
export function SmallFold({ count, threshold, open, onOpen }: SmallFoldProps) {
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
        {open ? 'Shown among the others' : `Fewer than ${threshold}, so not pushed yet`}
      </span>
    </button>
  )
}
