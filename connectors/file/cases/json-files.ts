import { type Case, lines } from './case.ts'

const json = (value: unknown) => JSON.stringify(value)
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** Ways in which programs and APIs write messages as JSON. All messages are made up. */
export const jsonFiles: readonly Case[] = [
  {
    what: 'one object around the list, over several lines',
    name: 'tickets.json',
    file: pretty({
      count: 2,
      next_page: null,
      tickets: [
        { id: 51, created_at: '2026-10-01T08:00:00Z', message: 'The sign is too dark', customer: { name: 'Ada' } },
        { id: 52, created_at: '2026-10-02T08:00:00Z', message: 'I cannot read the sign', customer: { name: 'Bo' } },
      ],
    }),
    preset: null,
    texts: ['The sign is too dark', 'I cannot read the sign'],
    first: { externalId: '51', author: 'Ada', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    what: 'one object around the list, on one line, and columns chosen three levels down',
    name: 'page.json',
    mapping: { id: 'id', date: 'sent.at', author: 'sent.by.name', text: 'content' },
    file: json({
      data: {
        results: [
          { id: 'a1', sent: { at: '2026-10-01T08:00:00Z', by: { name: 'Ada' } }, content: 'Door opens inwards' },
          { id: 'a2', sent: { at: '2026-10-02T08:00:00Z', by: { name: 'Bo' } }, content: 'Doors hit my chair' },
        ],
      },
      has_more: false,
    }),
    preset: null,
    texts: ['Door opens inwards', 'Doors hit my chair'],
    first: { externalId: 'a1', author: 'Ada', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    what: 'a page of GraphQL: a list four objects deep, each message in an object of its own',
    name: 'issues.json',
    file: json({
      data: {
        repository: {
          issues: {
            edges: [
              { node: { id: 'n1', title: 'Door', body: 'It opens inwards', createdAt: '2026-10-01T08:00:00Z' } },
              { node: { id: 'n2', title: 'Door is loud', body: '', createdAt: '2026-10-02T08:00:00Z' } },
            ],
          },
        },
      },
    }),
    preset: null,
    texts: ['Door\n\nIt opens inwards', 'Door is loud'],
    first: { externalId: 'n1', at: new Date('2026-10-01T08:00:00Z') },
  },
  {
    what: 'messages by their ids, without a list',
    name: 'messages.json',
    file: json({
      17: { text: 'The bell is too loud', date: '2026-10-01' },
      18: { text: 'The bell wakes me up', date: '2026-10-02' },
    }),
    preset: null,
    texts: ['The bell is too loud', 'The bell wakes me up'],
    first: { externalId: '17', at: new Date('2026-10-01') },
  },
  {
    what: 'the same inside another object, over several lines',
    name: 'export.json',
    file: JSON.stringify(
      {
        feedback: {
          '-Nx3a': { message: 'The bell is too loud', when: '2026-10-01' },
          '-Nx3b': { message: 'The bell wakes me up', when: '2026-10-02' },
        },
      },
      null,
      2,
    ),
    preset: null,
    texts: ['The bell is too loud', 'The bell wakes me up'],
    first: { externalId: '-Nx3a', at: new Date('2026-10-01') },
  },
  {
    what: 'a list of texts',
    name: 'texts.json',
    file: json(['The bell is too loud', 'The bell wakes me up']),
    preset: null,
    texts: ['The bell is too loud', 'The bell wakes me up'],
    first: { dateKnown: false },
  },
  {
    what: 'objects over several lines, one after the other',
    name: 'printed.json',
    file: lines(
      JSON.stringify({ id: 'p1', text: 'The bell is too loud', date: '2026-10-01' }, null, 2),
      JSON.stringify({ id: 'p2', text: 'The bell wakes me up', date: '2026-10-02' }, null, 2),
    ),
    preset: null,
    texts: ['The bell is too loud', 'The bell wakes me up'],
    first: { externalId: 'p1', at: new Date('2026-10-01') },
  },
  {
    what: 'people and companies inside other objects, to three levels',
    name: 'people.json',
    file: json({
      data: [
        { id: 'b1', message: 'The gate is locked', user: { id: 5, profile: { name: 'Ada', company: 'Acme' } } },
        {
          id: 'b2',
          message: 'The gate was locked at noon',
          user: { id: 6, profile: { name: 'Bo', company: 'Birch' } },
        },
      ],
    }),
    preset: null,
    texts: ['The gate is locked', 'The gate was locked at noon'],
    first: { externalId: 'b1', author: 'Ada', attributes: { organisation: 'Acme' } },
  },
  {
    what: 'posts of a forum, each inside two objects, some of which have only a title',
    name: 'posts.json',
    file: JSON.stringify({
      kind: 'Listing',
      data: {
        children: [
          {
            kind: 't3',
            data: {
              id: 'p1',
              title: 'Sync',
              selftext: 'Nothing syncs since the update',
              author: 'ada',
              created_utc: 1790841660,
            },
          },
          {
            kind: 't3',
            data: { id: 'p2', title: 'Please add widgets', selftext: '', author: 'bo', created_utc: 1790841720 },
          },
        ],
      },
    }),
    preset: null,
    texts: ['Sync\n\nNothing syncs since the update', 'Please add widgets'],
    first: { externalId: 'p1', author: 'ada', at: new Date('2026-10-01T08:01:00Z') },
  },
]
