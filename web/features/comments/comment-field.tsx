import { MAX_COMMENT } from '@groundswell/contract/comments.ts'
import { useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { findPeople, type Mentionable, mentionedIn, queryAt } from './comment-text.ts'

/** A person in the workspace, who can be mentioned. */
export type Colleague = Mentionable & { isMe: boolean }

type CommentFieldProps = {
  label: string
  action: string
  people: readonly Colleague[]
  /** What it begins with. */
  text?: string
  chosen?: readonly Mentionable[]
  /** Keeps unsent text while another insight is open, by insight number. */
  draftOf?: number
  /** Shows the message of a failure. */
  onSend: (words: { text: string; mentions: string[] }) => Promise<void>
  onCancel?: () => void
}

const counts = new Intl.NumberFormat('en')

const DRAFTS = ['comment-draft']

/** A comment as it is written. `@` offers the people in the workspace; Ctrl Enter or ⌘ Enter sends it. */
export function CommentField({
  label,
  action,
  people,
  text: before = '',
  chosen: chosenBefore = [],
  draftOf,
  onSend,
  onCancel,
}: CommentFieldProps) {
  const client = useQueryClient()
  const draft = [...DRAFTS, draftOf]
  const listId = useId()
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => (draftOf === undefined ? before : (client.getQueryData<string>(draft) ?? '')))
  const [chosen, setChosen] = useState(chosenBefore)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { query, found, current, setCaret, setActive } = useOffer(text, people)
  useEffect(() => {
    if (onCancel) box.current?.focus()
  }, [onCancel])

  function change(next: string) {
    setText(next)
    setProblem(null)
    setActive(0)
    if (draftOf === undefined) return
    // Nothing observes it: by default it would be dropped after five minutes.
    client.setQueryDefaults(DRAFTS, { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData(draft, next)
  }

  function mention(person: Colleague) {
    if (!query) return
    const end = query.from + person.name.length + 2
    change(`${text.slice(0, query.from)}@${person.name} ${text.slice(query.to)}`)
    setChosen([...chosen, person])
    setCaret(null)
    requestAnimationFrame(() => box.current?.setSelectionRange(end, end))
  }

  async function send() {
    const words = text.trim()
    if (words === '') return setProblem('Write something first.')
    const over = words.length - MAX_COMMENT
    if (over > 0) {
      return setProblem(`At most ${counts.format(MAX_COMMENT)} characters: ${counts.format(over)} too many.`)
    }
    setBusy(true)
    try {
      await onSend({ text: words, mentions: mentionedIn(words, people, chosen) })
      change('')
      setChosen([])
    } catch (error) {
      setProblem(`Not sent. ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      setBusy(false)
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.current?.requestSubmit()
    } else if (current && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setActive((found.indexOf(current) + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length)
    } else if (current && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      mention(current)
    } else if (event.key === 'Escape') {
      if (current) setCaret(null)
      else if (onCancel) onCancel()
      else box.current?.blur()
    }
  }

  return (
    <Form ref={form} onSubmit={send} className="flex flex-col gap-2">
      <div className="relative">
        <Field label={label} hideLabel error={problem ?? undefined}>
          {(ids) => (
            <TextArea
              {...ids}
              ref={box}
              rows={text.includes('\n') || text.length > 60 || onCancel ? 4 : 2}
              placeholder={onCancel ? undefined : `${label}, type @ to mention somebody`}
              value={text}
              dir="auto"
              aria-autocomplete="list"
              aria-controls={current ? listId : undefined}
              aria-activedescendant={current ? `${listId}-${current.account_id}` : undefined}
              data-holds-escape={text !== '' || onCancel ? true : undefined}
              onChange={(event) => {
                change(event.currentTarget.value)
                setCaret(event.currentTarget.selectionStart)
              }}
              onBlur={() => setCaret(null)}
              onKeyDown={onKeyDown}
            />
          )}
        </Field>
        {current ? <PeopleList id={listId} people={found} current={current} onChoose={mention} /> : null}
        <span role="status" className="sr-only">
          {current ? `${found.length} ${found.length === 1 ? 'person' : 'people'} found` : ''}
        </span>
      </div>
      <div className="flex items-center justify-end gap-2">
        {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
        <Button type="submit" look={onCancel ? 'primary' : 'secondary'} busy={busy} title="Ctrl Enter or ⌘ Enter">
          {action}
        </Button>
      </div>
    </Form>
  )
}

/** The people who match the `@` before the caret, with the one that Enter chooses; none where there is no `@`. */
function useOffer(text: string, people: readonly Colleague[]) {
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const at = caret === null ? null : queryAt(text, caret)
  const query = at && caret !== null ? { ...at, to: caret } : null
  const others = people.filter(({ isMe }) => !isMe)
  const found = query ? findPeople(others, query.words) : []
  return { query, found, current: found[Math.min(active, found.length - 1)], setCaret, setActive }
}

type PeopleListProps = {
  id: string
  people: readonly Colleague[]
  current: Colleague
  onChoose: (person: Colleague) => void
}

function PeopleList({ id, people, current, onChoose }: PeopleListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="People"
      className="absolute inset-x-0 bottom-full z-10 mb-1 overflow-y-auto rounded border border-line bg-raised py-1 shadow-raised"
    >
      {people.map((person) => (
        <li
          key={person.account_id}
          id={`${id}-${person.account_id}`}
          role="option"
          aria-selected={person === current}
          // The field keeps the focus, so that the list is not closed before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
          className={clsx('truncate px-3 py-1.5', person === current && 'bg-hover')}
          dir="auto"
        >
          {person.name}
        </li>
      ))}
    </ul>
  )
}
