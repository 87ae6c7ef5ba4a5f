import clsx from 'clsx'
import { DropdownMenu as Radix } from 'radix-ui'
import { Fragment, useRef, useState } from 'react'
import type { MenuChoice, MenuEntry, MenuProps } from './menu.tsx'

/** The menu itself, open from the start: it is fetched only when someone opens it. */
export function MenuPopup({ trigger, entries, align = 'end', side = 'bottom' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const led = useRef(false)
  // In a drawer the menu belongs to it: everything outside of it is hidden.
  const [home, setHome] = useState<Element | null>(null)
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger
        ref={(element) => {
          button.current = element
          if (element) setHome(element.closest('[data-holds-menus]') ?? document.querySelector('main'))
        }}
        asChild
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={home}>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          data-keeps-panel
          onCloseAutoFocus={(event) => {
            if (led.current) event.preventDefault()
            led.current = false
          }}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={(event) => {
            const entry = [...event.currentTarget.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')]
            entry.find((one) => one.getAttribute('aria-keyshortcuts') === event.key)?.click()
          }}
          className="pop z-50 max-h-96 min-w-44 overflow-y-auto rounded border border-line bg-raised p-1 shadow-raised"
        >
          {entries.map((entry, index) => (
            <Fragment key={index}>
              {entry.kind === 'line' ? (
                <Radix.Separator className="my-1 h-px bg-line" />
              ) : entry.kind === 'choice' ? (
                <Choice {...entry} />
              ) : (
                <Action
                  {...entry}
                  onSelect={() => {
                    led.current = entry.leads ?? false
                    // The focus returns to the trigger first: a dialog that the action opens restores it there.
                    button.current?.focus()
                    entry.onSelect()
                  }}
                />
              )}
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Action({ label, Icon, danger = false, shortcut, onSelect }: Extract<MenuEntry, { kind?: 'action' }>) {
  return (
    <Radix.Item
      onSelect={onSelect}
      aria-keyshortcuts={shortcut}
      className={clsx(
        'flex h-8 cursor-pointer items-center gap-2 rounded-small px-2 outline-none select-none data-[highlighted]:bg-hover',
        danger ? 'text-bad' : 'text-text',
      )}
    >
      {Icon ? <Icon size={14} aria-hidden className={danger ? undefined : 'text-muted'} /> : null}
      {label}
      {shortcut === undefined ? null : (
        <kbd aria-hidden className="ml-auto pl-4 font-sans text-small text-muted">
          {shortcut}
        </kbd>
      )}
    </Radix.Item>
  )
}

function Choice({ label, value, options, onChange }: MenuChoice) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      <Radix.Label className="px-2 pt-2 pb-1 text-small text-muted">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => event.preventDefault()}
          className="flex h-8 cursor-pointer items-center justify-between gap-4 rounded-small px-2 outline-none select-none data-[highlighted]:bg-hover"
        >
          {option.label}
          <Radix.ItemIndicator>
            <span aria-hidden className="block size-2 rounded-full bg-accent" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
