import path from 'node:path'
import { readRows } from '../stream.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const FILES = [
  'connectors/sandbox/company/feedback.jsonl',
  'bench/engine/companies/hotel.jsonl',
  'bench/engine/companies/devtool.jsonl',
  'bench/engine/companies/fitness.jsonl',
  'bench/engine/companies/shop.jsonl',
  'bench/engine/five-languages.tsv',
]

/** This many texts, evenly from all of our own labelled sets, or fewer when `keep` leaves fewer. */
export function ownTexts(count: number, keep: (text: string) => boolean = () => true): string[] {
  const all = FILES.flatMap((file) => readRows(path.join(ROOT, file)).map(({ text }) => text)).filter(keep)
  const every = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * every)] as string)
}
