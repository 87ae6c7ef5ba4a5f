import type { Mention } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { useMayEdit } from '../../accounts/index.ts'
import { useHasExtras } from '../../operations/index.ts'
import { isNamed } from '../corrections/use-picking.ts'
import { onKindKey } from '../kinds/kind-mark.tsx'
import { MarkedText, type Passage } from './marked-text.tsx'
import { MentionHead } from './mention-head.tsx'
import { placeQuote } from './quote.ts'
import { ReadAs } from './read-as.tsx'

const Conversation = lazyPart(async () => (await import('./conversation.tsx')).Conversation, {
  waiting: () => <div className="skeleton mt-2 h-24" />,
})
const Original = lazyPart(async () => (await import('./original.tsx')).Original, {
  waiting: () => <div className="skeleton mt-2 h-24" />,
})

/** What opens below a quote. */
const PARTS = [
  { part: 'conversation', field: 'in_thread', name: 'conversation' },
  { part: 'original', field: 'has_original', name: 'the original' },
] as const

type EvidenceItemProps = {
  mention: Mention
  /** The insight that it belongs to, for its conversation and for what it is read as. */
  issueNumber?: number
  /** Its kind can be corrected here. */
  kindChoice?: boolean
  /** What it is read as can be corrected here; as its kind where it is not given. */
  pointChoice?: boolean
  /** Whether its source is shown; it is not where all mentions are from one. */
  withSource?: boolean
  /** The id of the item, for links to it. */
  anchor?: string
  /** In a column before everything else: a checkbox. */
  tick?: ReactNode
  /** At the end of the first line: the actions of this mention. */
  tools?: ReactNode
  /** Passages to mark in place of the quote, for a text and in its order. */
  findPassages?: ((text: string) => readonly Passage[]) | undefined
  /** Opens below the quote. */
  children?: ReactNode
}

/** One mention: who said it, when and where, and the quote marked within its message. */
export function EvidenceItem({
  mention,
  issueNumber,
  kindChoice = false,
  pointChoice = kindChoice,
  withSource = true,
  anchor,
  tick,
  tools,
  findPassages,
  children,
}: EvidenceItemProps) {
  const mayEdit = useMayEdit()
  const corrects = useHasExtras() && mayEdit
  const choosesKind = corrects && kindChoice
  const [whole, setWhole] = useState(false)
  const [shown, setShown] = useState<'conversation' | 'original' | null>(null)
  const { message = mention.text } = mention
  const [first] = findPassages?.(message) ?? []
  const { before, quote, after, cutBefore, cutAfter } = placeQuote(
    first ? { ...mention, message, ...first } : mention,
    whole,
  )
  const alone = before === '' && after === '' && !cutBefore && !cutAfter
  const cutOff = cutBefore || cutAfter || whole
  return (
    <li
      id={anchor}
      onKeyDown={choosesKind ? onKindKey : undefined}
      className="flex gap-2 border-b border-line py-3 last:border-0"
    >
      {tick ? <div className="flex h-6 shrink-0 items-center">{tick}</div> : null}
      <div className="min-w-0 flex-1">
        <MentionHead mention={mention} withSource={withSource} choosesKind={choosesKind} tools={tools} />
        <blockquote dir="auto" className="mt-1 break-words whitespace-pre-wrap text-text">
          {cutBefore ? '… ' : null}
          {findPassages ? (
            <MarkedText text={before + quote + after} passages={findPassages(before + quote + after)} />
          ) : (
            <>
              {before}
              {alone ? quote : <mark>{quote}</mark>}
              {after}
            </>
          )}
          {cutAfter ? ' …' : null}
        </blockquote>
        {mention.read_as === undefined ? null : (
          <ReadAs
            point={mention.read_as}
            corrected={mention.read_as_set_by === 'person'}
            mentionId={corrects && pointChoice && isNamed(mention) ? mention.id : undefined}
            issueNumber={issueNumber ?? null}
          />
        )}
        {cutOff ? (
          <button
            type="button"
            aria-expanded={whole}
            onClick={() => setWhole(!whole)}
            className="mt-1 rounded-small text-small text-accent hover:underline"
          >
            {whole ? 'Show less' : 'Show the whole message'}
          </button>
        ) : null}
        {mention.id !== undefined && issueNumber !== undefined ? (
          <>
            {PARTS.filter(({ field }) => mention[field]).map(({ part, name }, at) => (
              <button
                key={part}
                type="button"
                aria-expanded={shown === part}
                onClick={() => setShown(shown === part ? null : part)}
                className={clsx(
                  'mt-1 rounded-small text-small text-accent hover:underline',
                  (cutOff || at > 0) && 'ml-3',
                )}
              >
                {`${shown === part ? 'Hide' : 'Show'} ${name}`}
              </button>
            ))}
            {shown === 'conversation' ? <Conversation issueNumber={issueNumber} mentionId={mention.id} /> : null}
            {shown === 'original' ? <Original issueNumber={issueNumber} mentionId={mention.id} /> : null}
          </>
        ) : null}
        {children}
      </div>
    </li>
  )
}
