import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ConnectorFailure, ItemGone } from '../kit/errors.ts'
import type { TrackerFault } from '../kit/sample.ts'
import { failureFrom } from '../kit/testing.ts'
import { MAX_STATUS_IDS, type RemoteItem } from '../tracker.ts'
import { type Check, limitFor } from './check.ts'
import { trackerFaultChecks } from './tracker-fault-checks.ts'
import { create, documentOf, expectClean, start, stored, type TrackerSubject } from './tracker-run.ts'

const findsAfter = (fault: TrackerFault): Check<TrackerSubject> => ({
  name: `finds the item whose creation ended with ${fault}`,
  run: async (subject) => {
    const { tracker } = subject
    await using run = await start(subject, limitFor(fault))
    const marker = randomUUID()
    run.standIn.fault(fault)
    const error = await failureFrom(create(subject, run.context, marker))
    expect(error).toBeInstanceOf(ConnectorFailure)
    expect((error as ConnectorFailure).kind).toBe('unavailable')
    expect(run.made()).toHaveLength(1)
    expect((await tracker.find(run.context, marker))?.id).toBe(run.made()[0]?.id)
    expect(run.made()).toHaveLength(1)
  },
})

const reportsGone = (how: 'delete' | 'move'): Check<TrackerSubject> => ({
  name: `reports an item that is no longer there on update: ${how}`,
  run: async (subject) => {
    const { tracker } = subject
    await using run = await start(subject)
    const marker = randomUUID()
    const remote = stored(await create(subject, run.context, marker))
    if (how === 'delete' || !run.standIn.move) run.standIn.delete(remote.id)
    else run.standIn.move(remote.id)
    const error = await failureFrom(
      tracker.update(run.context, remote, { document: documentOf(marker), reopen: false }),
    )
    expect(error).toBeInstanceOf(ItemGone)
    expect(run.made()).toEqual([])
  },
})

const itemChecks: readonly Check<TrackerSubject>[] = [
  {
    name: 'is a destination that does not push, with delays for its retries',
    run: async (subject) => {
      const { connector, tracker } = subject
      expect(connector.manifest.side).toBe('destination')
      expect(connector.push).toBeUndefined()
      expect(connector.retrySchedule?.length).toBeGreaterThan(2)
      expect(tracker.findLagSeconds).toBeGreaterThanOrEqual(0)
    },
  },
  {
    name: 'creates one item with everything that the document says, and finds it by its marker',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      expect(await tracker.find(run.context, marker)).toBeNull()
      const remote = await create(subject, run.context, marker)
      expect(run.made()).toHaveLength(1)
      const [item] = run.made()
      expect(item).toMatchObject({ id: remote.id, open: true })
      expect(remote).toMatchObject({ status: 'open', label: expect.stringMatching(/./) })
      expect(remote.url ?? 'https://').toMatch(/^https?:\/\//)
      const texts = [item?.text ?? '', ...(item?.comments ?? [])].join('\n')
      const expected = [
        'Export stops halfway',
        'Large exports end without a message.',
        'customer words about the export',
        'Ann Author',
      ]
      for (const text of [...expected, 'Reports', 'https://desk.example.com/tickets/5']) expect(texts).toContain(text)
      expect(texts).toMatch(/feedback\.example\.com\/insights\?issue=7/)
      expect((await tracker.find(run.context, marker))?.id).toBe(remote.id)
      expect(await tracker.find(run.context, randomUUID())).toBeNull()
    },
  },
  {
    name: 'accepts texts of any length and with any characters',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const odd = `<b>&amp; **bold** [x](y) {code} | \`\`\` – 🤯\n\t"'\\`
      const quote = { text: odd.repeat(2000), author: odd, at: new Date(0), source: odd, link: null }
      const given = {
        title: odd.repeat(50),
        summary: odd.repeat(500),
        tags: Array.from({ length: 40 }, (__, index) => ({ name: `${odd} ${index}`, value: odd })),
        quotes: Array.from({ length: 20 }, () => quote),
        link: null,
      }
      const marker = randomUUID()
      const remote = await create(subject, run.context, marker, given)
      expect(run.made()).toHaveLength(1)
      await tracker.update(run.context, stored(remote), { document: documentOf(marker, given), reopen: false })
      expect(run.made()).toHaveLength(1)
    },
  },
  {
    name: 'has one item after ten kills between creating it and recording it',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      const first = await create(subject, run.context, marker)
      for (let kill = 0; kill < 10; kill += 1) {
        const found = await tracker.find(run.context, marker)
        expect(found?.id).toBe(first.id)
      }
      expect(run.made()).toHaveLength(1)
    },
  },
  ...(['reset', 'silence', 'malformed'] as const).map(findsAfter),
  {
    name: 'says for how long search may lag behind',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      run.standIn.lagSearch(true)
      const remote = await create(subject, run.context, marker)
      const found = await tracker.find(run.context, marker)
      expect(found?.id ?? (tracker.findLagSeconds > 0 ? remote.id : null)).toBe(remote.id)
      run.standIn.lagSearch(false)
      expect((await tracker.find(run.context, marker))?.id).toBe(remote.id)
    },
  },
  {
    name: 'shows 20 updates in its text or in one comment, also when it forgot which',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      const created = stored(await create(subject, run.context, marker))
      let remote = created
      for (let round = 1; round <= 20; round += 1) {
        const document = documentOf(marker, { counts: { mentions: 4000 + round, people: 7 } })
        remote = stored(
          await tracker.update(run.context, round % 5 === 0 ? created : remote, { document, reopen: false }),
        )
        expect(remote.id).toBe(created.id)
      }
      expect(run.made()).toHaveLength(1)
      const [item] = run.made()
      expect(item?.comments.length).toBeLessThanOrEqual(1)
      const texts = [item?.text ?? '', ...(item?.comments ?? [])].join('\n')
      expect(texts.replaceAll(/[\s,. ]/g, '')).toContain('4020')
      expect((await tracker.find(run.context, marker))?.id).toBe(created.id)
    },
  },
  {
    name: 'reads back what was closed, reopened and deleted',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const [one, two, three] = [
        await create(subject, run.context, randomUUID()),
        await create(subject, run.context, randomUUID()),
        await create(subject, run.context, randomUUID()),
      ]
      const remotes = [one, two, three].map((remote) => stored(remote))
      const states = async () => {
        const statuses = await tracker.readStatus(run.context, remotes)
        return remotes.map(({ id }) => statuses.filter((status) => status.id === id).map(({ state }) => state))
      }
      expect(await states()).toEqual([['open'], ['open'], ['open']])
      run.standIn.close(one.id)
      run.standIn.close(two.id)
      expect(await states()).toEqual([['closed'], ['closed'], ['open']])
      run.standIn.reopen(one.id)
      expect(await states()).toEqual([['open'], ['closed'], ['open']])
      run.standIn.delete(two.id)
      run.standIn.move?.(three.id)
      expect(await states()).toEqual([['open'], ['gone'], [run.standIn.move ? 'gone' : 'open']])
    },
  },
  {
    name: 'tells an item that was closed without being done, with the reason, in each of its replies',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const [marker, other] = [randomUUID(), randomUUID()]
      const remote = stored(await create(subject, run.context, marker))
      const done = stored(await create(subject, run.context, other))
      run.standIn.close(done.id)
      run.standIn.decline(remote.id)
      const statuses = await tracker.readStatus(run.context, [remote, done])
      const [status, doneStatus] = [remote, done].map(({ id }) => statuses.find((one) => one.id === id))
      expect(status).toMatchObject({ state: 'closed', name: expect.stringMatching(/./), declined: true })
      const told = { status: 'closed', statusName: status?.name, declined: true }
      expect(await tracker.find(run.context, marker)).toMatchObject(told)
      const request = { document: documentOf(marker), reopen: false }
      expect(await tracker.update(run.context, remote, request)).toMatchObject(told)
      expect(doneStatus).toMatchObject({ state: 'closed' })
      const ofDone = { document: documentOf(other), reopen: false }
      const replies = [
        doneStatus,
        await tracker.find(run.context, other),
        await tracker.update(run.context, done, ofDone),
        await tracker.update(run.context, remote, { ...request, reopen: true }),
      ]
      expect(replies.map((reply) => reply?.declined ?? false)).toEqual([false, false, false, false])
    },
  },
  {
    name: 'reads the states of many items at once',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const remotes: RemoteItem[] = []
      for (let at = 0; at < MAX_STATUS_IDS; at += 1)
        remotes.push(stored(await create(subject, run.context, randomUUID())))
      const before = run.standIn.requests().length
      const statuses = await tracker.readStatus(run.context, remotes)
      expect(new Set(statuses.map(({ id }) => id))).toEqual(new Set(remotes.map(({ id }) => id)))
      expect(run.standIn.requests().length - before).toBeLessThanOrEqual(2)
    },
  },
  {
    name: 'updates a closed item, and reopens it only when asked to',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      const remote = stored(await create(subject, run.context, marker))
      run.standIn.close(remote.id)
      const counts = { mentions: 5001, people: 8 }
      const commented = await tracker.update(run.context, remote, {
        document: documentOf(marker, { counts }),
        reopen: false,
      })
      expect(commented.status).toBe('closed')
      expect(run.made()).toMatchObject([{ open: false }])
      const reopened = await tracker.update(run.context, stored(commented), {
        document: documentOf(marker, { counts }),
        reopen: true,
      })
      expect(reopened.status).toBe('open')
      expect(run.made()).toMatchObject([{ open: true }])
    },
  },
  {
    name: 'gives an item a title that follows the name of the insight, until somebody writes another one there',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      const [first, lost, second, third] = [
        'Keys remap',
        'Keys cannot be remapped',
        'Shortcuts change',
        'Shortcuts stay',
      ]
      const rename = (title: string, titles?: readonly string[]) => {
        const request = { document: documentOf(marker, { title }), reopen: false }
        return tracker.update(run.context, remote, titles ? { ...request, titles } : request)
      }
      const shown = () => run.made()[0]?.text ?? ''
      const remote = stored(await create(subject, run.context, marker, { title: first }))
      await rename(second)
      expect(shown()).toContain(first)
      // The reply to an update with this one was lost.
      run.standIn.retitle(remote.id, lost)
      expect(await rename(second, [first, lost, second])).toMatchObject({ title: second })
      expect(shown()).toContain(second)
      run.standIn.retitle(remote.id, 'What our engineers call it')
      expect(await rename(third, [first, lost, second, third])).toMatchObject({ title: 'What our engineers call it' })
      expect(shown()).toContain('What our engineers call it')
      expect(shown()).not.toContain(third)
    },
  },
  ...(['delete', 'move'] as const).map(reportsGone),
  {
    name: 'verifies without leaving anything behind',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      expect((await tracker.verify(run.context)).length).toBeGreaterThan(5)
      expect(run.made()).toEqual([])
    },
  },
  {
    name: 'writes no secret and no customer text into its log',
    run: async (subject) => {
      const { tracker } = subject
      await using run = await start(subject)
      const marker = randomUUID()
      const remote = stored(await create(subject, run.context, marker))
      await tracker.find(run.context, marker)
      await tracker.update(run.context, remote, { document: documentOf(marker), reopen: false })
      await tracker.readStatus(run.context, [remote])
      await tracker.verify(run.context)
      expect(run.made()).toHaveLength(1)
      expectClean(run, run.log.lines.join('\n'))
    },
  },
  {
    name: 'stops when the signal is aborted',
    run: async (subject) => {
      await using run = await start(subject)
      const stopped = { ...run.context, signal: AbortSignal.abort() }
      const error = await failureFrom(create(subject, stopped, randomUUID()))
      expect(error).toMatchObject({ kind: 'unavailable' })
      expect(run.made()).toEqual([])
    },
  },
]

/** Every check of a tracker. */
export const trackerChecks: readonly Check<TrackerSubject>[] = [...itemChecks, ...trackerFaultChecks]
