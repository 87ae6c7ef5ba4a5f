import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const PACKAGE = '@huggingface/transformers'

/** See `EmbeddingSettings`. `cacheDir`: where models given by name are downloaded to. */
export type LocalModel = { model: string; packageDir?: string; cacheDir: string }

/** Returns one row of numbers per text. */
export type Extract = (texts: string[]) => Promise<number[][]>

/** The local model cannot be used; the message says what to do. */
export class LocalModelMissing extends Error {
  override name = 'LocalModelMissing'
}

type Tensor = { dims: number[]; data: ArrayLike<number> }
type Extractor = (texts: string[], options: { pooling: 'mean'; normalize: boolean }) => Promise<Tensor>
type Library = {
  env: { cacheDir?: string; localModelPath?: string; allowLocalModels?: boolean; allowRemoteModels?: boolean }
  pipeline(task: 'feature-extraction', model: string, options: { dtype?: string }): Promise<Extractor>
}

/**
 * Loads transformers.js, which the operator has installed, and a model: from a folder, without any download, or by its name.
 * Throws `LocalModelMissing`.
 */
export async function loadLocalModel({ model, packageDir, cacheDir }: LocalModel): Promise<Extract> {
  const library = await loadLibrary(packageDir)
  const { env } = library
  const isFolder = path.isAbsolute(model)
  env.cacheDir = cacheDir
  env.allowLocalModels = isFolder
  env.allowRemoteModels = !isFolder
  if (isFolder) env.localModelPath = path.dirname(model)
  let extractor: Extractor
  try {
    extractor = await library.pipeline('feature-extraction', isFolder ? path.basename(model) : model, { dtype: 'fp32' })
  } catch {
    throw new LocalModelMissing(
      isFolder
        ? `the folder ${model} holds no model that transformers.js can read (config.json, tokenizer.json, onnx/model.onnx)`
        : `the model ${model} cannot be downloaded or read: set EMBEDDINGS_MODEL to a folder that holds it`,
    )
  }
  return async (texts) => {
    const { dims, data } = await extractor(texts, { pooling: 'mean', normalize: true })
    const [rows = 0, columns = 0] = dims
    const values = Array.from(data)
    return Array.from({ length: rows }, (_, row) => values.slice(row * columns, (row + 1) * columns))
  }
}

/**
 * The package of this installation, or of the folder that the operator names. The suggested command skips its install script,
 * which only downloads what graphics cards need, from outside the registry, and makes the installation fail when that is
 * unreachable.
 */
async function loadLibrary(packageDir: string | undefined): Promise<Library> {
  const command = `npm install --no-save --ignore-scripts ${packageDir === undefined ? '' : `--prefix ${packageDir} `}${PACKAGE}`
  const from = packageDir === undefined ? import.meta.url : pathToFileURL(path.join(packageDir, 'package.json')).href
  let file: string
  try {
    file = createRequire(from).resolve(PACKAGE)
  } catch {
    throw new LocalModelMissing(`transformers.js is not installed: run ${command}`)
  }
  try {
    const found = (await import(pathToFileURL(file).href)) as { default?: unknown }
    const library = { ...(found.default as object | undefined), ...found } as unknown as Partial<Library>
    if (typeof library.pipeline === 'function' && typeof library.env === 'object') return library as Library
  } catch {
    throw new LocalModelMissing(`transformers.js is installed, but cannot be loaded: run ${command}`)
  }
  throw new LocalModelMissing(`the package ${PACKAGE} that is installed is not transformers.js: run ${command}`)
}
