import { startImport } from '@groundswell/contract/feedback.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Page } from '../../ui/page.tsx'
import { useMayEdit } from '../accounts/index.ts'
import { CallError, logFailure, upload } from '../client/index.ts'
import { NotTogether, oneFile, type PathFile } from './chosen-files.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportList } from './import-list.tsx'
import { useImports } from './import-queries.ts'
import { ImportReport } from './import-report.tsx'
import { type Chosen, MappingForm } from './mapping-form.tsx'
import { choicesQuery, NotText, preview } from './preview.ts'
import { SourceChoice } from './source-choice.tsx'
import { type ChosenSource, firstChoice, sourceQuery } from './source-query.ts'

type WantedImport = Chosen & { source: ChosenSource }

/** /import: a file of feedback, from choosing it to the report. `?import=…` shows one import; `?sample=1` chooses feedback of a made-up company. */
export function ImportPage() {
  const client = useQueryClient()
  const [address, setAddress] = useSearchParams()
  const [chosen, setChosen] = useState<WantedImport | null>(null)
  const [judging, setJudging] = useState(false)
  const { sent, send, stop } = useUpload()
  const [problem, setProblem] = useState<string>()
  const shown = address.get('import')
  const mayEdit = useMayEdit()
  const { data: imports, error: unreachable } = useImports()

  const sampled = address.has('sample')
  useEffect(() => {
    if (!sampled || !mayEdit) return
    setAddress({}, { replace: true })
    void choose(sample())
  }, [sampled, mayEdit, setAddress])

  async function choose(files: Promise<PathFile[]>) {
    setProblem(undefined)
    setJudging(true)
    try {
      const { file, count } = oneFile(await files)
      if (file.size === 0) {
        setProblem(`“${file.name}” is empty.`)
        return
      }
      const judged = await preview(file)
      const ownReplies = judged.remembered?.own_replies ?? null
      const choices = ownReplies === null ? {} : { ownReplies }
      setChosen({ file, count, preview: judged, choices, source: firstChoice(file.name, judged) })
    } catch (error) {
      setProblem(sayProblem(error))
    } finally {
      setJudging(false)
    }
  }

  async function start(wanted: WantedImport) {
    setProblem(undefined)
    try {
      const id = await send(wanted)
      if (id === null) return
      setChosen(null)
      setAddress({ import: id })
      void client.invalidateQueries({ queryKey: ['imports'] })
    } catch (error) {
      setProblem(sayProblem(error))
    }
  }

  function startOver() {
    stop()
    setChosen(null)
    setProblem(undefined)
    setAddress({})
  }

  return (
    <Page width="narrow" title="Import" lead="Bring in feedback from files.">
      {imports && unreachable ? (
        <p role="alert" className="mb-3 rounded bg-bad-soft px-3 py-2 text-bad">
          {unreachable.message} What is shown here may be out of date. This page retries automatically.
        </p>
      ) : null}
      {chosen ? (
        <MappingForm
          chosen={chosen}
          onChosen={({ file, preview, choices }) => setChosen((now) => now && { ...now, file, preview, choices })}
          sayProblem={sayProblem}
          sent={sent}
          problem={problem}
          onStart={() => void start(chosen)}
          onCancel={startOver}
        >
          <SourceChoice
            value={chosen.source}
            same={chosen.preview.same}
            last={chosen.preview.remembered?.source ?? null}
            disabled={sent !== null}
            onChange={(source) => setChosen({ ...chosen, source })}
          />
        </MappingForm>
      ) : shown ? (
        <ImportReport key={shown} id={shown} onAnother={startOver} onUndone={startOver} />
      ) : !mayEdit ? (
        <p>You can view this workspace. To import a file, ask an owner to make you a member.</p>
      ) : (
        <>
          <FileDrop busy={judging} onFiles={(files) => void choose(files)} />
          {problem ? (
            <p role="alert" className="mt-3 rounded bg-bad-soft px-3 py-2 text-bad">
              {problem}
            </p>
          ) : null}
        </>
      )}
      <ImportList
        onOpen={(id) => setAddress({ import: id })}
        onUndone={(id) => {
          if (id === shown) setAddress({})
        }}
      />
    </Page>
  )
}

/**
 * Sends files to be imported, one at a time. `send` answers with the id of the import, or null where `stop` ended it; `sent` counts bytes, and is null while
 * nothing is sent. Leaving the page ends it too.
 */
function useUpload() {
  const [sent, setSent] = useState<number | null>(null)
  const sending = useRef<AbortController | null>(null)
  useEffect(() => () => sending.current?.abort(), [])

  async function send({ file, preview: judged, choices, source }: WantedImport): Promise<string | null> {
    setSent(0)
    const stop = new AbortController()
    sending.current = stop
    try {
      const query = {
        name: file.name,
        format: judged.format,
        ...(judged.sheet === null ? {} : { sheet: judged.sheet }),
        ...choicesQuery({ header: judged.header, mapping: judged.mapping, ...choices }),
        ...sourceQuery(source),
      }
      return (await upload(startImport, { query, raw: file }, setSent, stop.signal)).id
    } catch (error) {
      if (stop.signal.aborted) return null
      throw error
    } finally {
      sending.current = null
      setSent(null)
    }
  }

  return { sent, send, stop: () => sending.current?.abort() }
}

/** The server's message, which names the line or the limit. */
function sayProblem(error: unknown): string {
  if (error instanceof NotText || error instanceof NotTogether) return error.message
  logFailure('The import did not start')(error)
  if (!(error instanceof CallError)) return 'The file could not be read.'
  const details = Object.values(error.fields)
  return [error.message, ...details.filter((detail) => detail !== error.message)].join(' ')
}

async function sample(): Promise<PathFile[]> {
  const { sampleFile } = await import('./sample.ts')
  const file = await sampleFile()
  return [{ path: file.name, file }]
}
