import * as z from 'zod/mini'

/** `at`: the index of an item that does not match its schema, and the field. `value`: the item as it was sent. */
export type Malformed = { at: string; value: unknown }

/** A list whose items are parsed one by one: one that does not match its schema does not hide the others. */
export function listed<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((values): { items: z.infer<T>[]; malformed: Malformed[] } => {
      const items: z.infer<T>[] = []
      const malformed: Malformed[] = []
      for (const [index, value] of values.entries()) {
        const parsed = item.safeParse(value)
        if (parsed.success) items.push(parsed.data)
        else malformed.push({ at: [index, ...fieldOf(parsed.error)].join('.'), value })
      }
      return { items, malformed }
    }),
  )
}

/** A list of names and the like, without the ones that do not match their schema: nothing depends on them. */
export const namesListed = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    listed(item),
    z.transform(({ items }: { items: z.infer<T>[]; malformed: Malformed[] }) => items),
  )

/** Plain names and positions only, since a key may be a customer's word. */
const fieldOf = ({ issues }: z.core.$ZodError): string[] =>
  (issues[0]?.path ?? []).map((key) => (/^[A-Za-z_]{1,30}$|^\d{1,6}$/.test(String(key)) ? String(key) : '…'))
