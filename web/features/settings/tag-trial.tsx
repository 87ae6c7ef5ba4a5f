import { previewTags, type TagExample, type TagPreview } from '@groundswell/contract/insights/tags.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { call } from '../client/index.ts'
import { showShare, showValue } from './trial-words.ts'

type TagTrialProps = { name: string; description: string; turn: number; onClose: () => void }

/** The preview of a tag on the last insights: how it was understood, its values, how many got one, and examples. */
export function TagTrial({ name, description, turn, onClose }: TagTrialProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['tag-trial', name, description, turn],
    queryFn: async () => {
      const { tags } = await call(previewTags, { body: { categories: [{ name, description }] } })
      return tags[0] ?? null
    },
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-label={`Trial of ${name}`} className="relative mt-3 rounded border border-line bg-canvas p-3 pr-11">
      <IconButton label="Close trial" onClick={onClose} className="absolute! top-1.5 right-1.5">
        <X size={14} aria-hidden />
      </IconButton>
      {isFetching ? (
        <div className="skeleton h-10" role="status" aria-label="Trying the tag" />
      ) : error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 text-bad break-words">The tag could not be tried. {error.message}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      ) : data ? (
        <Result preview={data} />
      ) : (
        <p role="status">The server returned no result for this tag.</p>
      )}
    </section>
  )
}

function Result({ preview }: { preview: TagPreview }) {
  const { cat_type, understood, insights, matched, options, examples } = preview
  const percent = cat_type === 'calculated'
  return (
    <div role="status" className="flex flex-col gap-2">
      <p dir="auto" className="font-medium break-words">
        {understood}
      </p>
      {cat_type === null ? null : (
        <p className="text-muted">
          {insights === 0
            ? 'There are no insights yet to try it on.'
            : `${showShare(matched, insights)} would get a value. Nothing is saved.`}
        </p>
      )}
      {options.length > 0 && insights > 0 ? (
        <ul className="flex flex-col gap-2">
          {options.map(({ option_value, option_colour, count, examples: some }) => (
            <li key={option_value}>
              <Line colour={option_colour} value={option_value} note={String(count)} />
              <Examples examples={some} />
            </li>
          ))}
        </ul>
      ) : null}
      {examples.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {examples.map((example) => (
            <li key={example.issue_number}>
              <Line value={showValue(example.option_value, percent)} note={<Name example={example} />} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Line({ colour, value, note }: { colour?: string; value: string; note: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      {colour ? (
        <span aria-hidden style={{ backgroundColor: colour }} className="size-2 shrink-0 rounded-full" />
      ) : null}
      <span dir="auto" title={value} className="max-w-[60%] shrink-0 truncate font-medium tabular-nums">
        {value}
      </span>
      <span className="min-w-0 truncate text-muted tabular-nums">{note}</span>
    </div>
  )
}

function Examples({ examples }: { examples: readonly TagExample[] }) {
  if (examples.length === 0) return null
  return (
    <ul className="mt-0.5 ml-4 text-small text-muted">
      {examples.map((example) => (
        <li key={example.issue_number} title={example.issue_name} className="truncate">
          <Name example={example} />
        </li>
      ))}
    </ul>
  )
}

function Name({ example: { issue_number, issue_name } }: { example: TagExample }) {
  return (
    <>
      #{issue_number} <bdi>{issue_name}</bdi>
    </>
  )
}
