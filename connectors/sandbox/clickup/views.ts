import type { Account, Comment, CustomField, Folder, List, Space, Task, Team } from './account.ts'

const person = ({ id, username }: { id: number; username: string }) => ({
  id,
  username,
  email: `${username.toLowerCase().replaceAll(' ', '.')}@fernweh.example`,
  color: '#7b68ee',
  profilePicture: null,
  initials: username.slice(0, 1),
})

export const userView = ({ me }: Account) => ({ user: person(me) })

export const teamView = ({ id, name, members }: Team) => ({
  id,
  name,
  color: '#40bc86',
  avatar: null,
  members: members.map((member) => ({ user: person(member) })),
})

export const spaceView = ({ id, name, tags }: Space) => ({
  id,
  name,
  private: false,
  statuses: [],
  multiple_assignees: true,
  features: {
    due_dates: { enabled: true, start_date: false, remap_due_dates: false, remap_closed_due_date: false },
    time_tracking: { enabled: false },
    tags: { enabled: tags },
    time_estimates: { enabled: true },
    checklists: { enabled: true },
  },
})

const spaceRef = ({ id, name }: Space) => ({ id, name, access: true })
const folderRef = (folder: Folder | null) => ({
  id: folder?.id ?? '0',
  name: folder?.name ?? 'hidden',
  hidden: folder === null,
  access: true,
})

export const folderView = (folder: Folder, space: Space) => ({
  id: folder.id,
  name: folder.name,
  orderindex: 0,
  override_statuses: false,
  hidden: false,
  space: spaceRef(space),
  task_count: '0',
  lists: [],
})

/** A list as other requests list it. With `whole`, as its own request returns it. */
export const listView = (list: List, space: Space, folder: Folder | null, whole = false) => ({
  id: list.id,
  name: list.name,
  orderindex: 0,
  content: null,
  status: null,
  priority: null,
  assignee: null,
  task_count: whole ? null : 0,
  due_date: null,
  start_date: null,
  folder: folderRef(folder),
  space: spaceRef(space),
  archived: list.archived,
  override_statuses: false,
  permission_level: list.level,
  ...(whole ? { statuses: list.statuses } : {}),
})

export const fieldView = ({ id, name, type, required, options, taskTypes }: CustomField) => ({
  id,
  name,
  type,
  required,
  type_config: options ? { options: options.map((option) => ({ color: null, ...option })) } : {},
  date_created: '1566400407303',
  hide_from_guests: false,
  ...(taskTypes ? { applied_objects: taskTypes.map((object_id) => ({ object_type: 19, object_id })) } : {}),
})

/** The response to which request: ClickUp shows tags and people differently in each. */
export type TaskShape = 'own' | 'list' | 'workspace'

export function taskView(task: Task, place: { team: Team; space: Space; folder: Folder | null }, shape: TaskShape) {
  const at = String(task.at)
  const plain = task.markdown.replaceAll(/[\\*>#`]/g, '')
  return {
    id: task.id,
    custom_id: task.customId,
    name: task.name,
    text_content: plain,
    description: plain,
    status: task.status,
    orderindex: '1.0',
    date_created: at,
    date_updated: at,
    date_closed: null,
    date_done: null,
    ...(shape === 'workspace' ? {} : { archived: task.archived }),
    creator: { id: 4001, username: 'Tally Turner', color: null, email: 'tally@fernweh.example', profilePicture: null },
    assignees: [],
    watchers: [],
    checklists: [],
    tags: shape === 'list' ? task.tags : task.tags.map((name) => ({ name, tag_fg: '#fff', tag_bg: '#000' })),
    parent: null,
    priority: null,
    due_date: null,
    start_date: null,
    points: null,
    time_estimate: null,
    custom_fields: [],
    dependencies: [],
    linked_tasks: [],
    team_id: place.team.id,
    url: `https://app.clickup.com/t/${task.id}`,
    permission_level: 'create',
    list: { id: task.list.id, name: task.list.name, access: true },
    project: folderRef(place.folder),
    folder: folderRef(place.folder),
    space: { id: place.space.id },
  }
}

export const commentView = ({ id, text }: Comment) => ({
  id,
  comment: [{ text }],
  comment_text: text,
  user: person({ id: 4001, username: 'Tally Turner' }),
  resolved: false,
  assignee: null,
  assigned_by: null,
  reactions: [],
  date: '1767225600000',
})
