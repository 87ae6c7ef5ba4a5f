import { getChoices, saveChoices } from '@groundswell/contract/sources.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { CONNECTORS } from '../catalogue.ts'
import type { ChoiceDraft } from './choice-draft.ts'

const asText = (lists: ChoiceDraft) => (Object.keys(lists).length > 0 ? JSON.stringify(lists) : undefined)

/** The choices of a connection, requested from the provider for this draft. Those of the previous draft stay until they are there. */
export function useChoices(tile: string, draft: ChoiceDraft) {
  return useQuery({
    queryKey: ['choices', tile, draft],
    queryFn: async () => (await call(getChoices, { params: { tile }, query: { draft: asText(draft) } })).choices,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** The options of a searchable choice that a text finds; undefined for a text that is not searched for. */
export function useChoiceSearch(tile: string, field: string, draft: ChoiceDraft, text: string) {
  return useQuery({
    queryKey: ['choices', tile, draft, field, text],
    queryFn: async () => {
      const query = { draft: asText(draft), search: JSON.stringify({ [field]: [text] }) }
      const { choices } = await call(getChoices, { params: { tile }, query })
      return choices.find((choice) => choice.field === field)?.options ?? []
    },
    enabled: text !== '',
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** Saves the choices. `search`: texts by which values were found that are not among the listed options. */
export function useSaveChoices(tile: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ body, search }: { body: Record<string, string[]>; search: ChoiceDraft }) =>
      call(saveChoices, { params: { tile }, query: { search: asText(search) }, body }),
    onSuccess: ({ message }) => toast({ title: 'Saved', description: message }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: CONNECTORS }),
        client.invalidateQueries({ queryKey: ['held'] }),
      ]),
  })
}
