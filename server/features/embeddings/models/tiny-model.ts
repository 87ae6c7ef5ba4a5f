import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The vocabulary of a tiny model: the vector of each word, all of one width. `[PAD]` and `[UNK]` come first. `maxWords`: how
 * many words of a text it reads.
 */
export type TinyWords = { words: readonly (readonly [word: string, vector: readonly number[]])[]; maxWords?: number }

const FLOAT = 1
const INT64 = 7

/**
 * Writes a real model into a folder, for tests: one ONNX node, Gather, that looks up the vectors of words, and the files that
 * transformers.js reads beside it. The correct vector of a text is known: the normalised mean of its words.
 */
export async function writeTinyModel(folder: string, tiny: TinyWords): Promise<string> {
  for (const [name, content] of Object.entries(tinyModelFiles(tiny))) {
    const at = path.join(folder, name)
    await mkdir(path.dirname(at), { recursive: true })
    await writeFile(at, content)
  }
  return folder
}

/** The files of such a model by path, as a hub serves them. */
export function tinyModelFiles({ words, maxWords = 64 }: TinyWords): Record<string, Buffer | string> {
  const width = words[0]?.[1].length ?? 0
  const vocab = Object.fromEntries(words.map(([word], id) => [word, id]))
  const special = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }
  return {
    'onnx/model.onnx': onnxOf(words.map(([, vector]) => vector)),
    'config.json': JSON.stringify({
      model_type: 'bert',
      hidden_size: width,
      vocab_size: words.length,
      max_position_embeddings: maxWords,
    }),
    'tokenizer_config.json': JSON.stringify({
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: maxWords,
      pad_token: '[PAD]',
      unk_token: '[UNK]',
    }),
    'tokenizer.json': JSON.stringify({
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({ id, content, ...special })),
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: null,
      model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
    }),
  }
}

/** A model in ONNX (a protocol buffer, `onnx.proto`): `last_hidden_state` = Gather(`table`, `input_ids`). */
function onnxOf(rows: readonly (readonly number[])[]): Buffer {
  const width = rows[0]?.length ?? 0
  const table = Buffer.alloc(rows.length * width * 4)
  rows.flat().forEach((value, at) => void table.writeFloatLE(value, at * 4))
  const named = (name: string) => block(1, block(2, name))
  const value = (name: string, type: number, dims: Buffer[]) =>
    Buffer.concat([block(1, name), block(2, block(1, Buffer.concat([number(1, type), block(2, Buffer.concat(dims))])))])
  const places = [named('batch'), named('sequence')]
  const node = [block(1, 'table'), block(1, 'input_ids'), block(2, 'last_hidden_state'), block(4, 'Gather')]
  const weights = [number(1, rows.length), number(1, width), number(2, FLOAT), block(8, 'table'), block(9, table)]
  const graph = [
    block(1, Buffer.concat(node)),
    block(2, 'tiny'),
    block(5, Buffer.concat(weights)),
    block(11, value('input_ids', INT64, places)),
    block(12, value('last_hidden_state', FLOAT, [...places, block(1, number(1, width))])),
  ]
  const opset = block(8, Buffer.concat([block(1, ''), number(2, 13)]))
  return Buffer.concat([number(1, 8), block(7, Buffer.concat(graph)), opset])
}

/** A numeric field of a protocol buffer. */
function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

/** A length-delimited field of a protocol buffer. */
function block(field: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
