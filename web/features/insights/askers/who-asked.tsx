import { type Asker, exportAskers, listAskers, MAX_ASKERS, setTold } from '@groundswell/contract/insights/askers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, Download, ExternalLink } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyExtra } from '../../../ui/loading/lazy-part.tsx'
import { OutsideLink } from '../../../ui/outside-link.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { formatMoment } from '../../../ui/text/moment.ts'
import { showAllText } from '../../../ui/text/plural.ts'
import { SaidTime } from '../../../ui/text/said-time.tsx'
import { saveFile } from '../../../ui/text/save-file.ts'
import { toast } from '../../../ui/toast-store.ts'
import { useMayEdit } from '../../accounts/index.ts'
import { call, download } from '../../client/index.ts'
import { SourceMark, useConnectorName } from '../../connections/index.ts'
import { attempt } from '../actions/attempt.ts'
import { askerName, askersText, toldText } from './asker-words.ts'

const ReplyInThreads = lazyExtra(async () => (await import('../../posts/index.ts')).ReplyInThreads)

const ASKERS = 'askers'
const AT_FIRST = 5

type WhoAskedProps = {
  issueNumber: number
  /** Changes with the insight. */
  version: string
  /** The person opened it: the focus moves there. */
  focused: boolean
}

/** The people in an insight, each with the conversation, and who has been told about it. */
export function WhoAsked({ issueNumber, version, focused }: WhoAskedProps) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [all, setAll] = useState(false)
  const [busy, setBusy] = useState(false)
  const mayEdit = useMayEdit()
  const asked = useQuery({
    queryKey: [ASKERS, issueNumber, version],
    queryFn: () => call(listAskers, { params: { issue_number: issueNumber } }),
    placeholderData: (before) => before,
    retry: false,
  })
  useEffect(() => {
    if (focused) heading.current?.focus()
  }, [focused])
  const { data } = asked
  const reload = useCallback(
    () => void client.invalidateQueries({ queryKey: [ASKERS, issueNumber] }),
    [client, issueNumber],
  )
  const mark = async (people: 'all' | string[], told: boolean, done: string) => {
    setBusy(true)
    await attempt(client, 'Not saved', [[ASKERS, issueNumber]], async () => {
      const params = { issue_number: issueNumber }
      const { changed } = await call(setTold, { params, body: { people, told } })
      const undo = () => void mark(changed, !told, 'Undone')
      toast({
        title: done,
        ...(changed.length > 0 && done !== 'Undone' ? { action: { label: 'Undo', run: undo } } : {}),
      })
    })
    setBusy(false)
  }
  const save = () =>
    attempt(client, 'Export failed', [], async () => {
      const file = await download(exportAskers, { params: { issue_number: issueNumber } })
      saveFile(`groundswell-who-asked-${issueNumber}.csv`, file)
    })
  return (
    <section aria-label="Who asked">
      <div className="flex flex-wrap items-center gap-2">
        <h3 ref={heading} tabIndex={-1} className="mr-auto font-semibold">
          Who asked <span className="font-normal text-muted">{data ? toldText(data) : ''}</span>
        </h3>
        {data && data.total > 0 ? (
          <>
            <Button
              onClick={() =>
                void copyText(
                  askersText(data.askers),
                  data.askers.length < data.total ? `The first ${data.askers.length} of ${data.total}` : 'The list',
                )
              }
            >
              <Copy size={14} aria-hidden /> Copy
            </Button>
            <Button onClick={() => void save()}>
              <Download size={14} aria-hidden /> CSV
            </Button>
            {mayEdit ? <ReplyInThreads issueNumber={issueNumber} version={version} onTold={reload} /> : null}
            {data.told < data.total ? (
              <Button data-edits busy={busy} onClick={() => void mark('all', true, 'All are marked as told')}>
                <Check size={14} aria-hidden /> Mark all as told
              </Button>
            ) : null}
          </>
        ) : null}
      </div>
      {data ? (
        <>
          {data.total === 0 ? <p className="mt-1 text-muted">Nobody: it no longer has any messages.</p> : null}
          <ul className="mt-1">
            {data.askers.slice(0, all ? undefined : AT_FIRST).map((asker) => (
              <AskerRow
                key={asker.person}
                asker={asker}
                busy={busy}
                onTold={(told) =>
                  void mark(
                    [asker.person],
                    told,
                    told ? `${askerName(asker)} is marked as told` : `${askerName(asker)} is no longer marked`,
                  )
                }
              />
            ))}
          </ul>
          {data.askers.length > AT_FIRST ? (
            <button
              type="button"
              aria-expanded={all}
              onClick={() => setAll(!all)}
              className="rounded-small text-small text-accent hover:underline"
            >
              {all ? 'Show fewer' : showAllText(data.askers.length, data.total)}
            </button>
          ) : null}
          {all && data.total > MAX_ASKERS ? (
            <p className="text-small text-muted">The CSV file has all {data.total}.</p>
          ) : null}
        </>
      ) : asked.isPending ? (
        <div className="skeleton mt-2 h-24" role="status" aria-label="Who asked is loading" />
      ) : (
        <p role="alert" className="mt-1">
          Who asked could not be loaded. {asked.error.message}{' '}
          <button
            type="button"
            onClick={() => void asked.refetch()}
            className="rounded-small text-accent hover:underline"
          >
            Try again
          </button>
        </p>
      )}
    </section>
  )
}

type AskerRowProps = { asker: Asker; busy: boolean; onTold: (told: boolean) => void }

function AskerRow({ asker, busy, onTold }: AskerRowProps) {
  const connectorName = useConnectorName(true)
  const { source, place, link, text, told } = asker
  const name = askerName(asker)
  return (
    <li className="flex items-start gap-3 border-b border-line py-2 last:border-0">
      <input
        type="checkbox"
        data-edits
        className="mt-1 size-4 shrink-0 accent-accent"
        aria-label={`${name} was told`}
        checked={told !== null}
        disabled={busy}
        onChange={({ target }) => onTold(target.checked)}
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 text-small text-muted">
          <SourceMark source={source} />
          <span dir="auto" className="max-w-60 truncate font-medium text-text" title={name}>
            {name}
          </span>
          <SaidTime said={asker} />
          <span dir="auto" className="max-w-48 truncate">
            {place ?? connectorName(source)}
          </span>
        </div>
        <p dir="auto" className="truncate" title={text}>
          {text}
        </p>
        {told ? (
          <p className="text-small text-muted">
            Told by {told.by}, {formatMoment(told.at)}
            {told.merged_from === null ? null : `, about #${told.merged_from}, which was merged into this one`}
          </p>
        ) : null}
      </div>
      <OutsideLink
        address={link}
        className="inline-flex shrink-0 items-center gap-1 rounded-small text-small text-accent hover:underline"
      >
        Open
        <ExternalLink size={12} aria-hidden />
        <span className="sr-only">the conversation with {name} in a new tab</span>
      </OutsideLink>
    </li>
  )
}
