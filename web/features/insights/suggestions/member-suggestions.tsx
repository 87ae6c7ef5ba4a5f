import type { Mention } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Correcting } from '../corrections/use-correcting.ts'
import { isNamed, type NamedMention } from '../corrections/use-picking.ts'
import { EvidenceItem } from '../panel/evidence-item.tsx'
import { AnswerList } from './answer-list.tsx'
import { useSuggestions } from './suggestions-query.ts'

/** Shown before the person asks for more. */
const FIRST = 3

type MemberSuggestionsProps = { issueNumber: number; version: string; correcting: Correcting }

/** Mentions in no insight that may belong to this one, most certain first; nothing where there are none. Each answer teaches. */
export function MemberSuggestions({ issueNumber, version, correcting }: MemberSuggestionsProps) {
  const suggestions = useSuggestions(issueNumber, version)
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const mentions: readonly Mention[] = suggestions?.mentions ?? []
  const named = mentions.filter(isNamed)
  const left = named.filter(({ id }) => !answered.has(id))
  if (!suggestions || left.length === 0) return null

  const answer = async (kind: 'add' | 'decline', { id }: NamedMention) => {
    setAnswered((ids) => new Set([...ids, id]))
    if (await correcting.correct({ kind, mentions: [id] })) return
    setAnswered((ids) => new Set([...ids].filter((one) => one !== id)))
  }
  const total = suggestions.total - (named.length - left.length)
  return (
    <section aria-labelledby="suggested">
      <h3 id="suggested" className="font-semibold">
        {total} more may belong here
      </h3>
      <AnswerList
        items={all ? left : left.slice(0, FIRST)}
        keyOf={({ id }) => id}
        onAccept={(mention) => void answer('add', mention)}
        onReject={(mention) => void answer('decline', mention)}
        className="mt-1"
      >
        {(mention) => {
          const quoted = `“${mention.text}”`
          return (
            <ol>
              <EvidenceItem mention={mention}>
                <span className="mt-2 flex gap-2">
                  <Button
                    aria-keyshortcuts="a"
                    aria-label={`Add ${quoted}`}
                    onClick={() => void answer('add', mention)}
                  >
                    Add
                  </Button>
                  <Button
                    aria-keyshortcuts="x"
                    aria-label={`Not this: ${quoted}`}
                    onClick={() => void answer('decline', mention)}
                  >
                    Not this
                  </Button>
                </span>
              </EvidenceItem>
            </ol>
          )
        }}
      </AnswerList>
      {!all && left.length > FIRST ? (
        <Button className="mt-2 w-full" onClick={() => setAll(true)}>
          Show {left.length - FIRST} more
        </Button>
      ) : null}
    </section>
  )
}
