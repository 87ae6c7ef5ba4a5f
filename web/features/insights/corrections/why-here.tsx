import type { Why } from '@groundswell/contract/corrections.ts'
import clsx from 'clsx'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Quoted } from '../panel/quoted.tsx'
import { useWhy } from './corrections-query.ts'
import { deciderText, meansText, modelText } from './why-words.ts'

type WhyHereProps = { issueNumber: number; mentionId: string; text: string; onClose: () => void }

/** Why a mention is in this insight and not in another. Opens below the mention and gets the focus. */
export function WhyHere({ issueNumber, mentionId, text, onClose }: WhyHereProps) {
  const box = useRef<HTMLElement>(null)
  const why = useWhy(issueNumber, mentionId)
  useEffect(() => box.current?.focus(), [])
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={`Why here? ${text}`}
      className="mt-2 rounded border border-line bg-canvas px-3 py-2"
    >
      <div className="flex items-center justify-between gap-2">
        <h4 className="font-semibold">Why here?</h4>
        <button type="button" onClick={onClose} className="rounded-small text-small text-accent hover:underline">
          Hide
        </button>
      </div>
      {why.data ? (
        <Reasons why={why.data} />
      ) : why.isPending ? (
        <div className="skeleton mt-1 h-16" role="status" aria-label="Loading" />
      ) : (
        <p role="alert" className="text-bad">
          The reason could not be loaded. {why.error.message}
        </p>
      )}
    </section>
  )
}

function Reasons({ why }: { why: Why }) {
  const model = modelText(why)
  const means = meansText(why)
  return (
    <div className="flex flex-col gap-3">
      <div>
        <p dir="auto" className="break-words">
          {why.rule}
        </p>
        <p className="text-small text-muted">{deciderText(why)}</p>
      </div>
      {why.replies_to ? (
        <div>
          <h5 className="mb-1 text-small font-medium text-muted">Replies to</h5>
          <Quoted mention={why.replies_to} />
        </div>
      ) : null}
      <Words title="Shared words" words={why.terms} />
      <Words title="Related words" words={why.meant} />
      {model ? (
        <div>
          <h5 className="text-small font-medium text-muted">{model.title}</h5>
          {model.words ? <p>{model.words}</p> : null}
          <p className="text-small break-words text-muted">{model.by}</p>
        </div>
      ) : null}
      {why.nearest && why.nearest.length > 0 ? (
        <div>
          <h5 className="text-small font-medium text-muted">Nearest mentions</h5>
          <ul className="mt-1 flex flex-col gap-2">
            {why.nearest.map((mention, place) => (
              <li key={mention.id ?? place}>
                <Quoted mention={mention} note={`${percentOf(mention.similarity)}% similar`} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {why.candidates.length > 0 ? (
        <div>
          <h5 className="text-small font-medium text-muted">Compared with</h5>
          <ul className="mt-1 flex flex-col gap-2">
            {why.candidates.map((one) => (
              <Candidate key={one.issue_number} {...one} />
            ))}
          </ul>
        </div>
      ) : null}
      {means ? <p className="text-small text-muted">{means}</p> : null}
    </div>
  )
}

function Words({ title, words }: { title: string; words: string[] }) {
  if (words.length === 0) return null
  return (
    <div>
      <h5 className="text-small font-medium text-muted">{title}</h5>
      <ul className="mt-1 flex flex-wrap gap-1">
        {words.map((word) => (
          <li key={word} dir="auto" className="max-w-full truncate">
            <Badge tone="accent">{word}</Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Candidate({ issue_number, name, score, chosen }: Why['candidates'][number]) {
  const share = percentOf(score)
  return (
    <li>
      <p className="flex items-center gap-2">
        {name === null ? (
          <span className="min-w-0 flex-1 truncate text-muted">#{issue_number}, not shown</span>
        ) : (
          <Link
            to={`/insights?issue=${issue_number}`}
            dir="auto"
            title={name}
            aria-current={chosen || undefined}
            className={clsx('min-w-0 flex-1 truncate text-accent hover:underline', chosen && 'font-semibold')}
          >
            #{issue_number} {name}
          </Link>
        )}
        {chosen ? <Badge tone="accent">here</Badge> : null}
        <span className="text-small text-muted tabular-nums">{share}% similar</span>
      </p>
      <span aria-hidden className="mt-1 block h-1.5 w-full overflow-hidden rounded-full bg-line">
        <span
          style={{ width: `${share}%` }}
          className={clsx('block h-full rounded-full', chosen ? 'bg-accent' : 'bg-idle-dot')}
        />
      </span>
    </li>
  )
}

function percentOf(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * 100)
}
