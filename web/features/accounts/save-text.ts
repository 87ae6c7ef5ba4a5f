import { saveFile } from '../../ui/text/save-file.ts'

/** Saves a text as a file. */
export function saveText(name: string, text: string, type = 'text/plain'): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }))
}
