import { Parser } from 'htmlparser2'
import { Rejected } from '../../kit/errors.ts'

/** Names are without their namespace, attributes too. Text comes in pieces, with its entities decoded. */
export type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
}

/** No part of a workbook is nested more deeply; the parser's time grows with the depth. */
const MAX_DEPTH = 60

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Reads XML in pieces. Entities that a document defines are not expanded. Throws `Rejected` where elements are nested too deep. */
export function xmlReader(handler: XmlHandler): { write(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder()
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > MAX_DEPTH) throw new Rejected('The workbook is damaged: save it again')
        const own = Object.entries(attributes).map(([key, value]) => [localName(key), value])
        handler.open(localName(name), Object.fromEntries(own))
      },
      onclosetag(name) {
        depth -= 1
        handler.close(localName(name))
      },
      ontext: (text) => handler.text(text),
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (bytes) => parser.write(decoder.decode(bytes, { stream: true })),
    end: () => parser.end(decoder.decode()),
  }
}
