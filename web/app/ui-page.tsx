import { Ellipsis, Plus, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field, Input, Select, TextArea } from '../ui/field.tsx'
import { FileProblemList } from '../ui/file-problem-list.tsx'
import { Confirm, Dialog } from '../ui/overlays/dialog.tsx'
import { Drawer } from '../ui/overlays/drawer.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { Tooltip } from '../ui/overlays/tooltip.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Progress } from '../ui/progress.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { Switch } from '../ui/switch.tsx'
import { HeadRow } from '../ui/table/head-row.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Sparkline } from '../ui/table/sparkline.tsx'
import { TableSkeleton } from '../ui/table/table-skeleton.tsx'
import { TabPart, Tabs } from '../ui/tabs.tsx'
import { KeyValues } from '../ui/text/plain-value.tsx'
import { toast } from '../ui/toast-store.ts'
import { Wordmark } from '../ui/wordmark.tsx'
import { chooseTheme, useTheme } from './theme.ts'

const GROUNDS = ['canvas', 'surface', 'raised', 'hover', 'selected'] as const
const COLOURS = ['text', 'muted', 'line', 'line-strong', 'accent', 'accent-strong', 'accent-soft'] as const
const STATES = ['good', 'good-soft', 'warn', 'warn-dot', 'warn-soft', 'bad', 'bad-soft', 'idle-dot', 'mark'] as const
const SIZES = [
  ['text-page', 'Page'],
  ['text-title', 'Title'],
  ['text-lead', 'Lead'],
  ['text-body', 'Body'],
  ['text-small', 'Small'],
] as const

/** /ui, in development only: every component of `web/ui` and every token on one page. */
export function UiPage() {
  const theme = useTheme((store) => store.choice)
  return (
    <main>
      <Page
        title="Components"
        lead="Everything a screen is made of."
        actions={
          <Select
            aria-label="Theme"
            value={theme}
            onChange={({ target: { value } }) => chooseTheme(value === 'dark' || value === 'light' ? value : 'system')}
          >
            <option value="system">Match system</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </Select>
        }
      >
        <Section title="Colours">
          {[GROUNDS, COLOURS, STATES].map((names) => (
            <div key={names[0]} className="mb-3 flex flex-wrap gap-3">
              {names.map((name) => (
                <figure key={name} className="w-24">
                  <div className="h-12 rounded border border-line" style={{ background: `var(--${name})` }} />
                  <figcaption className="mt-1 text-small text-muted">{name}</figcaption>
                </figure>
              ))}
            </div>
          ))}
        </Section>
        <Section title="Type">
          {SIZES.map(([size, name]) => (
            <p key={size} className={size}>
              {name}: what many customers say
            </p>
          ))}
        </Section>
        <Buttons />
        <Fields />
        <States />
        <Popups />
        <Data />
      </Page>
    </main>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="mb-3 flex flex-wrap items-center gap-3">{children}</div>
}

function Buttons() {
  return (
    <Section title="Buttons">
      <Row>
        <Button look="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button look="quiet">Quiet</Button>
        <Button look="danger">Danger</Button>
        <Button look="primary">
          <Plus size={14} aria-hidden />
          With an icon
        </Button>
        <IconButton label="Search">
          <Search size={16} aria-hidden />
        </IconButton>
      </Row>
      <Row>
        <Button look="primary" busy>
          Busy
        </Button>
        <Button disabled>Disabled</Button>
      </Row>
    </Section>
  )
}

function Fields() {
  const [on, setOn] = useState(true)
  return (
    <Section title="Fields">
      <div className="grid grid-cols-1 max-w-2xl gap-4 sm:grid-cols-2">
        <Field label="Name" help="What it is for stands here.">
          {(ids) => <Input {...ids} placeholder="Billing" />}
        </Field>
        <Field label="Name" error="Please enter a name.">
          {(ids) => <Input {...ids} />}
        </Field>
        <Field label="Description">{(ids) => <TextArea {...ids} rows={2} />}</Field>
        <Field label="Minimum mentions">
          {(ids) => (
            <Select {...ids}>
              <option>3</option>
            </Select>
          )}
        </Field>
        <Switch label="Push automatically" help="Once enough people have said it." checked={on} onChange={setOn} />
        <Switch label="Disabled" checked={false} disabled onChange={setOn} />
      </div>
    </Section>
  )
}

function States() {
  return (
    <Section title="States">
      <Row>
        <Badge>Plain</Badge>
        <Badge tone="accent">Accent</Badge>
        <Badge tone="good">Good</Badge>
        <Badge tone="warn">Warn</Badge>
        <Badge tone="bad">Bad</Badge>
      </Row>
      <Row>
        <StatusDot colour="grey" label="Not Connected" />
        <StatusDot colour="orange" label="Syncing" />
        <StatusDot colour="green" label="Connected" />
        <StatusDot colour="red" label="Failed" />
      </Row>
      <div className="max-w-sm space-y-3">
        <Progress label="Known total" value={40} total={100} />
        <Progress label="Unknown total" value={40} total={null} />
      </div>
      <TableSkeleton label="Loading" columns={['Name', 'Status', 'Updated']} />
      <table className="w-full border-collapse">
        <HeadRow columns={['What', 'Who', 'When'].map((label) => ({ label, className: 'h-9 px-4' }))} />
      </table>
      <EmptyState title="Nothing here yet" actions={<Button look="primary">Bring something in</Button>}>
        What would be here, and the way to it.
      </EmptyState>
      <FileProblemList problems={[{ filename: 'broken.json', reason: 'It is not JSON' }]} />
    </Section>
  )
}

function Popups() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'panel' | 'drawer' | null>(null)
  const [part, setPart] = useState('first')
  const close = () => setOpen(null)
  return (
    <Section title="Popups">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Question</Button>
        <Button onClick={() => setOpen('panel')}>Panel</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Button onClick={() => toast({ title: 'Saved', description: 'A toast of 5 s.' })}>Toast</Button>
        <Button
          onClick={() =>
            toast({ title: 'Deleted', description: 'One insight', action: { label: 'Undo', run: () => undefined } })
          }
        >
          Toast with Undo
        </Button>
        <Button onClick={() => toast({ title: 'Error', description: 'It failed.', tone: 'destructive' })}>
          Toast of a failure
        </Button>
        <Tooltip text="More about it, after 700 ms.">
          <Button>Tooltip</Button>
        </Tooltip>
        <Menu
          align="start"
          entries={[
            { label: 'Push', onSelect: () => undefined },
            { kind: 'line' },
            { label: 'Delete', danger: true, onSelect: () => undefined },
          ]}
          trigger={
            <IconButton label="Menu">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        />
      </Row>
      <Dialog open={open === 'dialog'} onOpenChange={close} title="Dialog" description="A modal window.">
        Its content.
      </Dialog>
      <Confirm
        open={open === 'confirm'}
        onOpenChange={close}
        title="Delete tag"
        question="Are you sure?"
        action="Delete"
        onConfirm={close}
      />
      <Panel open={open === 'panel'} onClose={close} title="Panel" eyebrow="Eyebrow">
        <Tabs
          label="Parts"
          chosen={part}
          onChoose={setPart}
          tabs={[
            { value: 'first', label: 'First' },
            { value: 'second', label: 'Second' },
          ]}
        >
          <TabPart value="first">520 px at the right.</TabPart>
          <TabPart value="second">The second part.</TabPart>
        </Tabs>
      </Panel>
      {open === 'drawer' ? (
        <Drawer onClose={close} title="Drawer">
          <p className="p-4">The menu of small screens.</p>
        </Drawer>
      ) : null}
    </Section>
  )
}

function Data() {
  const [index, setIndex] = useState(0)
  return (
    <Section title="Data">
      <Row>
        <Wordmark />
        <Sparkline values={[1, 3, 2, 5, 4, 8]} label="Mentions by week" />
        <Pager index={index} count={3} what="page" onChange={setIndex}>
          Page {index + 1} of 3
        </Pager>
      </Row>
      <KeyValues
        entries={[
          ['Text', 'with its line breaks'],
          ['List', ['one', 'two']],
          ['Object', { key: 'value' }],
        ]}
      />
    </Section>
  )
}
