import { randomInt } from 'node:crypto'

type Status = { id: string; status: string; type: string; orderindex: number; color: string }
export type CustomField = {
  id: string
  name: string
  type: string
  required: boolean
  options?: { id: string; name?: string; label?: string }[]
  /** Ids of the types of tasks that it is for; empty: all. */
  taskTypes?: number[]
}
type Person = { id: number; username: string }
export type Comment = { id: string; text: string }

/** Numbers as text, as most ids of ClickUp are. */
const newId = () => String(randomInt(900_000_000, 9_000_000_000))

export class List {
  readonly id = newId()
  readonly name: string
  readonly fields: CustomField[] = []
  readonly statuses: Status[]
  archived = false
  level = 'create'

  constructor(name: string) {
    this.name = name
    const status = (text: string, type: string, orderindex: number) => ({
      id: `st-${this.id}-${orderindex}`,
      status: text,
      type,
      orderindex,
      color: '#87909e',
    })
    this.statuses = [
      status('shipped', 'done', 3),
      status('in progress', 'custom', 2),
      status('to do', 'open', 0),
      status('triage', 'custom', 1),
      status('complete', 'closed', 4),
    ]
  }

  /** The first status of a type, in ClickUp's order. */
  status(type: string): Status {
    const found = this.statuses.filter((one) => one.type === type).toSorted((a, b) => a.orderindex - b.orderindex)[0]
    if (!found) throw new Error(`There is no status of type ${type}`)
    return found
  }
}

export class Folder {
  readonly id = newId()
  readonly name: string
  readonly lists: List[]
  constructor(name: string, lists: string[]) {
    this.name = name
    this.lists = lists.map((list) => new List(list))
  }
}

export class Space {
  readonly id = newId()
  readonly name: string
  readonly folders: Folder[]
  readonly lists: List[]
  tags = true
  constructor(name: string, lists: string[], folders: Folder[] = []) {
    this.name = name
    this.lists = lists.map((list) => new List(list))
    this.folders = folders
  }
}

export class Team {
  readonly id = newId()
  readonly name: string
  readonly spaces: Space[]
  readonly members: Person[]
  /** False: the sign-in was not allowed to use it, or no longer is. */
  allowed = true
  constructor(name: string, spaces: Space[], members: Person[]) {
    this.name = name
    this.spaces = spaces
    this.members = members
  }
}

export type Task = {
  id: string
  customId: string | null
  name: string
  markdown: string
  tags: string[]
  status: Status
  list: List
  priority: number | null
  assignees: number[]
  customFields: { id: string; value: unknown }[]
  archived: boolean
  comments: Comment[]
  at: number
  /** Lists contain it. */
  listed: boolean
  /** The sign-in can see it: false in a private list. */
  visible: boolean
  deleted: boolean
}

/** The made-up account: a workspace with everything and more people than are listed at once, and another one. */
export class Account {
  readonly me: Person = { id: 4001, username: 'Tally Turner' }
  readonly people: Person[] = [
    this.me,
    ...Array.from({ length: 60 }, (_, at) => ({ id: 4002 + at, username: at === 0 ? 'Ada Acker' : `Person ${at}` })),
  ]
  readonly teams = [
    new Team(
      'Fernweh',
      [new Space('Product', ['Inbox', 'Bugs'], [new Folder('Roadmap', ['Feedback'])]), new Space('Quiet', ['Notes'])],
      this.people,
    ),
    new Team('Side project', [new Space('Everything', ['Ideas'])], [this.me]),
  ]
  readonly tasks: Task[] = []
  lagging = false
  /** Lists are not filtered by tags. */
  ignoresTags = false
  /** Which tasks are listed for several tags. ClickUp does not document it. */
  tagsMatch: 'any' | 'all' = 'any'

  team(at: number): Team {
    const team = this.teams[at]
    if (!team) throw new Error(`There is no workspace ${at}`)
    return team
  }

  /** The first space of the first workspace. */
  get space(): Space {
    const [space] = this.team(0).spaces
    if (!space) throw new Error('There is no space')
    return space
  }

  /** The list that tests use. */
  get list(): List {
    const [list] = this.space.lists
    if (!list) throw new Error('There is no list')
    return list
  }

  /** The place of a list; undefined where it does not exist. */
  placeOf(listId: string): { team: Team; space: Space; folder: Folder | null; list: List } | undefined {
    for (const team of this.teams) {
      for (const space of team.spaces) {
        const own = space.lists.find(({ id }) => id === listId)
        if (own) return { team, space, folder: null, list: own }
        for (const folder of space.folders) {
          const list = folder.lists.find(({ id }) => id === listId)
          if (list) return { team, space, folder, list }
        }
      }
    }
    return undefined
  }

  task(id: string): Task {
    const task = this.tasks.find((one) => one.id === id)
    if (!task) throw new Error(`There is no task ${id}`)
    return task
  }

  lag(on: boolean): void {
    this.lagging = on
    if (!on) for (const task of this.tasks) task.listed = true
  }
}
