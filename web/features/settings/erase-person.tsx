import { erasePerson, previewErasure } from '@groundswell/contract/feedback/retention.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { DeletionDialog } from '../feedback/index.ts'

/** Erases all messages of one person, after showing what that changes. */
export function ErasePerson() {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const author = name.trim()
  const ask = () => {
    if (author !== '') setAsked(author)
  }
  return (
    <SettingRow
      title="Erase a person"
      actions={
        <div className="flex items-center gap-2">
          <span className="w-40">
            <Input
              aria-label="Name of the person, as shown with their messages"
              placeholder="Name"
              maxLength={500}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') ask()
              }}
            />
          </span>
          <Button disabled={author === ''} onClick={ask}>
            Erase…
          </Button>
        </div>
      }
    >
      Deletes all their messages, in every source. They are not read again.
      {asked === null ? null : (
        <DeletionDialog
          title={`Erase all messages of ${asked}?`}
          description="This affects everyone shown with this name."
          action="Erase"
          previewKey={['erasure', asked]}
          preview={() => call(previewErasure, { body: { author: asked } })}
          remove={() => call(erasePerson, { body: { author: asked } })}
          remark="Scheduled backups hold the messages until they are replaced; what was pushed stays at its destination."
          onClose={() => setAsked(null)}
          onDeleted={() => {
            setAsked(null)
            setName('')
            toast({ title: 'Erased', description: `The messages of ${asked} are deleted.` })
            void client.invalidateQueries({ queryKey: ['insights'] })
            return client.invalidateQueries({ queryKey: ['retention'] })
          }}
        />
      )}
    </SettingRow>
  )
}
