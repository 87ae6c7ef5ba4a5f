/** A field of a screen as Jira's createmeta shows it. */
export type ScreenField = {
  fieldId: string
  key: string
  name: string
  required: boolean
  hasDefaultValue: boolean
  operations: string[]
  schema: { type: string; items?: string; system?: string; custom?: string; customId?: number }
  allowedValues?: { id: string; name?: string; value?: string }[]
}
type IssueType = { id: string; name: string; subtask: boolean; fields: ScreenField[] }
export type Project = { id: string; key: string; name: string; types: IssueType[]; live: boolean }

type Given = Partial<Pick<ScreenField, 'required' | 'hasDefaultValue' | 'allowedValues'>>

function system(id: string, name: string, type: string, given: Given & { items?: string } = {}): ScreenField {
  const { items, ...rest } = given
  const schema = { type, system: id, ...(items ? { items } : {}) }
  return { fieldId: id, key: id, name, required: false, hasDefaultValue: false, operations: ['set'], schema, ...rest }
}

function custom(id: number, name: string, type: string, kind: string, given: Given & { items?: string } = {}) {
  const { items, ...rest } = given
  const fieldId = `customfield_${id}`
  const schema = {
    type,
    custom: `com.atlassian.jira.plugin.system.customfieldtypes:${kind}`,
    customId: id,
    ...(items ? { items } : {}),
  }
  const field: ScreenField = {
    fieldId,
    key: fieldId,
    name,
    required: true,
    hasDefaultValue: false,
    operations: ['set'],
    schema,
    ...rest,
  }
  return field
}

const named = (from: number, ...names: string[]) => names.map((name, index) => ({ id: String(from + index), name }))
const valued = (from: number, ...values: string[]) =>
  values.map((value, index) => ({ id: String(from + index), value }))

/** The fields that every type here has. */
function usual(): ScreenField[] {
  return [
    system('summary', 'Summary', 'string', { required: true }),
    system('issuetype', 'Issue Type', 'issuetype', { required: true }),
    system('project', 'Project', 'project', { required: true }),
    system('reporter', 'Reporter', 'user', { required: true, hasDefaultValue: true }),
    system('description', 'Description', 'string'),
    system('labels', 'Labels', 'array', { items: 'string' }),
    system('components', 'Components', 'array', { items: 'component', allowedValues: named(10_100, 'Exports', 'App') }),
    system('priority', 'Priority', 'priority', { hasDefaultValue: true, allowedValues: named(1, 'High', 'Medium') }),
    system('assignee', 'Assignee', 'user'),
  ]
}

const SEVERITIES = valued(10_200, 'Minor', 'Major')
const SURFACES = valued(10_300, 'Web', 'Mobile')

/** One required field of each kind. */
export const REQUIRED_FIELDS: readonly ScreenField[] = [
  custom(10_001, 'Severity', 'option', 'select', { allowedValues: SEVERITIES }),
  custom(10_002, 'Surfaces', 'array', 'multicheckboxes', { items: 'option', allowedValues: SURFACES }),
  custom(10_003, 'Steps', 'string', 'textarea'),
  custom(10_004, 'Region', 'string', 'textfield'),
  custom(10_005, 'Cost', 'number', 'float'),
  system('duedate', 'Due date', 'date', { required: true }),
  custom(10_006, 'Reported at', 'datetime', 'datetime'),
  custom(10_007, 'Keywords', 'array', 'labels', { items: 'string' }),
  custom(10_008, 'Owner', 'user', 'userpicker'),
  custom(10_009, 'Watch group', 'array', 'multiuserpicker', { items: 'user' }),
]

/** The projects of a made-up site. */
export function projects(): Project[] {
  const type = (id: string, name: string, fields: ScreenField[], subtask = false) => ({ id, name, subtask, fields })
  const without = (id: string) => usual().filter(({ fieldId }) => fieldId !== id)
  const cascade = custom(10_020, 'Place', 'option-with-child', 'cascadingselect', { allowedValues: valued(1, 'Bern') })
  return [
    {
      id: '10000',
      key: 'GROW',
      name: 'Growth',
      live: true,
      types: [
        type('10001', 'Task', usual()),
        type('10002', 'Bug', usual()),
        type('10003', 'Sub-task', usual(), true),
        type('10004', 'Incident', [...usual(), ...structuredClone([...REQUIRED_FIELDS])]),
        type('10005', 'Visit', [...usual(), cascade]),
        type('10006', 'Note', without('labels')),
      ],
    },
    { id: '10010', key: 'OPS', name: 'Operations', live: true, types: [type('10001', 'Task', without('assignee'))] },
  ]
}
