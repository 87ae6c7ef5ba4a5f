import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { edit, type ProductCopy, startCopy } from './product-copy.ts'

/** The files of the recipe, with what documents and tests add in the project: docs/webhooks.md and the hash in server/upgrade/schema.test.ts. */
export const RECIPE_FILES = ['server/migrations/9000-moods.sql', 'contract/insights.ts', 'contract/insight-fields.ts']

/**
 * Starts a copy of the product with two more stored fields of an insight, added by the recipe of docs/architecture.md: `mood`, which every
 * way out names, and `weather`, which none names but the list.
 */
export function startWithStoredFields(): Promise<ProductCopy> {
  return startCopy(async (folder) => {
    const [migration = '', types = '', fields = ''] = RECIPE_FILES.map((file) => path.join(folder, file))
    await writeFile(
      migration,
      `alter table insight add column mood text default 'calm', add column weather text default 'sunny';\n`,
    )
    await edit(types, (text) =>
      text.replace(/^ {2}main_kind: /m, '  mood: z.optional(z.string()),\n  weather: z.optional(z.string()),\n$&'),
    )
    await edit(fields, (text) =>
      text
        .replace(
          /^ {2}main_kind: /m,
          `  mood: { doc: 'How it feels.', example: 'calm', none: null, access: 'link' },
  weather: { doc: 'How it looks outside.', none: null, access: 'workspace' },\n$&`,
        )
        .replace('const afterTags = [', "$&'mood', ")
        .replaceAll(/^ {2}(?:agents|events|push): \[/gm, "$&'mood', ")
        .replaceAll(/^ {2}(?:insight|view): \{/gm, "$& mood: 'Mood',"),
    )
  })
}
