import {
  chooseReading,
  getReadingChoice,
  type ReadingState,
  TOKENS_PER_REVIEW,
  TOKENS_PER_THOUSAND_READ,
} from '@groundswell/contract/feedback/reading.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { count, plural } from '../../ui/text/plural.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { reachText, readingText, readingTime, reviewErrorText, reviewText } from './reading-words.ts'

const READING = ['reading']
const EVERY_MS = 5_000

type Choice = { scope: ReadingState['scope']; paused?: boolean; reviews?: boolean }

/** Whether the language model reads messages before they are grouped: the choice of an owner, and how far it is. */
export function ReadingRows({ mayChoose, where }: { mayChoose: boolean; where: string }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'new' | 'all' | null>(null)
  const found = useQuery({
    queryKey: READING,
    queryFn: () => call(getReadingChoice, {}),
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data && data.left > 0 && !data.paused && data.scope !== 'off' ? EVERY_MS : false,
  })
  const save = useMutation({
    mutationFn: (body: Choice) => call(chooseReading, { body }),
    onSuccess(saved) {
      client.setQueryData(READING, saved)
      setAsked(null)
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  const state = found.data
  if (!state) return null
  const { scope, paused, left } = state
  const done = state.read + state.empty + state.unread
  const choose = (chosen: Choice['scope']) => {
    if (chosen === 'off') save.mutate({ scope: 'off' })
    else setAsked(chosen)
  }
  return (
    <>
      <SettingRow
        title="Read messages before they are grouped"
        actions={
          mayChoose ? (
            <>
              {scope !== 'off' && (left > 0 || paused) ? (
                <Button busy={save.isPending} onClick={() => save.mutate({ scope, paused: !paused })}>
                  {paused ? 'Resume' : 'Pause'}
                </Button>
              ) : null}
              <Select
                aria-label="Which messages the language model reads"
                className="w-48"
                disabled={save.isPending}
                value={scope}
                onChange={(event) => choose(event.target.value as Choice['scope'])}
              >
                <option value="off">Off</option>
                <option value="new">New messages</option>
                <option value="all">New and stored messages</option>
              </Select>
            </>
          ) : undefined
        }
      >
        <span className="block">
          The model notes in a few words what each message says. Messages are then grouped by these points, which finds
          more of those that say the same in different words.
        </span>
        <span className="mt-1 block tabular-nums">{readingText(state)}</span>
        {scope !== 'off' && left > 0 ? (
          <span className="mt-2 block max-w-80">
            <Progress label="Messages that were read" value={done} total={done + left} />
          </span>
        ) : null}
      </SettingRow>
      {scope === 'off' ? null : (
        <SettingRow
          title="Review insights"
          actions={
            mayChoose ? (
              <>
                {state.reviews_stopped ? (
                  <Button busy={save.isPending} onClick={() => save.mutate({ scope, paused, reviews: true })}>
                    Start again
                  </Button>
                ) : null}
                <Button busy={save.isPending} onClick={() => save.mutate({ scope, paused, reviews: !state.reviews })}>
                  {state.reviews ? 'Switch off' : 'Switch on'}
                </Button>
              </>
            ) : undefined
          }
        >
          <span className="block">
            The model looks through each insight that is new or has grown by a quarter. It moves mentions that are about
            something else, makes several about one other problem an insight of their own, and merges two insights if it
            calls them the same problem in the reviews of both. It names the insight, too. The insight’s history says
            what it did, and can undo it. It changes nothing that people have decided, and nothing is pushed because of
            it.
          </span>
          <span className="mt-1 block">
            {state.reviews_stopped ? 'Stopped.' : state.reviews ? 'On.' : 'Off.'} {reviewText(state)} For an insight, up
            to 40 mentions are sent, and the name and one mention each of six others. With 40 mentions, that is an
            estimated {count(TOKENS_PER_REVIEW.least)} to {count(TOKENS_PER_REVIEW.most)} tokens.
          </span>
          <span className="mt-1 block tabular-nums">{reviewErrorText(state)}</span>
        </SettingRow>
      )}
      {asked ? (
        <Dialog
          open
          onOpenChange={(open) => {
            if (!open) setAsked(null)
          }}
          title={asked === 'all' ? 'Read new and stored messages?' : 'Read new messages?'}
        >
          <Consent state={state} scope={asked} where={where} />
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setAsked(null)}>Cancel</Button>
            <Button look="primary" busy={save.isPending} onClick={() => save.mutate({ scope: asked })}>
              Read messages
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

/** What an owner agrees to. */
function Consent({ state, scope, where }: { state: ReadingState; scope: 'new' | 'all'; where: string }) {
  const { stored, tokens } = state
  const { least, most } = TOKENS_PER_THOUSAND_READ
  return (
    <div className="space-y-3">
      <p>
        <strong className="font-medium">What is sent.</strong> The text of each message of up to 3,000 characters goes
        to {where}, thirty messages in a request, for a reply with the beginning of its conversation. Links and e-mail
        addresses are removed; authors, dates and customers are not sent.
      </p>
      <p>
        <strong className="font-medium">What it takes.</strong>{' '}
        {scope === 'all'
          ? `About ${plural(tokens, 'token')} for the ${plural(stored, 'stored message')}, the newest first. ${readingTime(state)}`
          : `About ${count(least)} to ${plural(most, 'token')} per 1,000 messages. Stored messages are not read.`}{' '}
        Reading uses at most half of the day’s budget.
      </p>
      <p>
        <strong className="font-medium">What changes.</strong>{' '}
        {scope === 'all' ? (
          <>
            {reachText(state)} How many insights there will be then is not known before the model has read the messages:
            where this was measured, most insights with five or more messages kept their number in one company, and
            fewer than half in another.
          </>
        ) : (
          'Messages that arrive from now on join insights by what they mean. Stored messages stay where they are.'
        )}{' '}
        Evidence and names are still what customers wrote.
      </p>
    </div>
  )
}
