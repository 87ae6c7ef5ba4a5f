import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Input } from './field.tsx'

type SearchBoxProps = {
  label: string
  /** The key that focuses it, if any. */
  shortcut?: string
  box: RefObject<HTMLInputElement | null>
  words: string
  onWords: (words: string) => void
}

/** The search box. It has its own text while someone types; a change from elsewhere, such as Clear or another view, replaces it. */
export function SearchBox({ label, shortcut, box, words, onWords }: SearchBoxProps) {
  const [replaced, setReplaced] = useState(0)
  useEffect(() => {
    const shown = box.current?.value.trim()
    if (shown !== words.trim() && document.activeElement !== box.current) setReplaced((times) => times + 1)
  }, [box, words])
  return (
    <div className="relative order-last w-full sm:order-none sm:w-64">
      <Search
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <Input
        key={replaced}
        ref={box}
        type="search"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder="Search"
        className="pl-8"
        defaultValue={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  )
}
