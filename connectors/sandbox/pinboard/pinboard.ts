import type { ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import { sendJson, serve } from '../server.ts'

type Project = {
  id: string
  name: string
  kinds: readonly { id: string; name: string }[]
  people: readonly { id: string; name: string }[]
}

/** What a card that was created says. */
type Card = { key: string; project: string; kind: string; title: string }

/** A stand-in for a small tracker: projects with kinds of cards and people, and cards in them. */
export type Pinboard = {
  url: string
  token: string
  projects: Project[]
  cards: Card[]
  /** Notes of customers, which a source reads. */
  notes: { id: string; project: string; text: string }[]
  /** The path and query of each request. */
  requests: string[]
  /** While set, everything but the account is refused with this text. */
  refusal: string | null
  /** While set, requests of this path wait for the promise. */
  hold: { path: string; until: Promise<void> } | null
  stop(): Promise<void>
}

/** How many people a list has at most: others are found by a part of their name. */
const MAX_PEOPLE = 3

/** Starts a Pinboard over real HTTP, a made-up product with choices that are required. */
export async function startPinboard(): Promise<Pinboard> {
  const server = await serve((request, response) =>
    answer(request.method ?? '', request.url ?? '', request.headers.authorization, response, () => readBody(request)),
  )
  const board: Pinboard = {
    url: server.url,
    token: 'pin-7f3a9c21',
    projects: sampleProjects(),
    cards: [],
    notes: [],
    requests: [],
    refusal: null,
    hold: null,
    stop: server.stop,
  }

  async function answer(
    method: string,
    address: string,
    authorization: string | undefined,
    response: ServerResponse,
    body: () => Promise<string>,
  ): Promise<void> {
    const { pathname, searchParams } = new URL(address, board.url)
    board.requests.push(address)
    if (board.hold?.path === pathname) await board.hold.until
    const reply = (status: number, body: unknown) => sendJson(response, { status, body })
    if (authorization !== `Bearer ${board.token}`) return reply(401, { error: 'Unknown token' })
    if (pathname === '/me') return reply(200, { id: 'T1', name: 'Tallybrook' })
    if (board.refusal !== null) return reply(403, { error: board.refusal })
    if (pathname === '/projects')
      return reply(
        200,
        board.projects.map(({ id, name }) => ({ id, name })),
      )
    if (pathname === '/notes') {
      return reply(
        200,
        board.notes.filter(({ project }) => project === searchParams.get('project')),
      )
    }
    if (method === 'POST' && pathname === '/cards') {
      const card = { ...(JSON.parse(await body()) as Omit<Card, 'key'>), key: `PIN-${board.cards.length + 1}` }
      board.cards.push(card)
      return reply(201, { key: card.key })
    }
    const [, id, part] = /^\/projects\/([^/]+)\/(kinds|people)$/.exec(pathname) ?? []
    const project = board.projects.find((one) => one.id === id)
    if (!project) return reply(404, { error: 'Not found' })
    if (part === 'kinds') return reply(200, project.kinds)
    const text = (searchParams.get('q') ?? '').toLowerCase()
    const found = project.people.filter(({ name }) => name.toLowerCase().includes(text))
    reply(200, found.slice(0, MAX_PEOPLE))
  }
  return board
}

function sampleProjects(): Project[] {
  const people = (names: readonly string[]) =>
    names.map((name) => ({ id: `u-${name.toLowerCase().replace(' ', '-')}`, name }))
  return [
    {
      id: 'P1',
      name: 'Mobile app',
      kinds: [
        { id: 'K1', name: 'Bug' },
        { id: 'K2', name: 'Idea' },
      ],
      people: people(['Ada Byron', 'Ben Cole', 'Cleo Dahl', 'Dora Eks', 'Kim Lee']),
    },
    { id: 'P2', name: 'Billing', kinds: [{ id: 'K9', name: 'Task' }], people: people(['Zoe Park']) },
    { id: 'P3', name: 'Archive', kinds: [], people: [] },
  ]
}
