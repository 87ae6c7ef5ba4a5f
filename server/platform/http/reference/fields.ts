import { escaped } from '../../html.ts'

/** The part of JSON Schema that the contract's schemas become. */
export type Schema = {
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** The fields of a schema as nested lists of HTML; empty where it has none. */
export function fieldsOf(schema: Schema): string {
  const variants = objectsIn(schema)
  if (variants.length > 1) {
    const each = variants.map((variant, at) => `<li><span class="type">form ${at + 1}</span>${listOf(variant)}</li>`)
    return `<ul class="fields">${each.join('')}</ul>`
  }
  return variants[0] ? listOf(variants[0]) : ''
}

/** One field: its name, type, bounds, whether it is needed and what it is, with the fields within it. */
export function fieldItem(name: string, schema: Schema, required: boolean): string {
  const facts = [typeOf(schema), ...boundsOf(schema), ...(required ? [] : ['optional'])].join(' · ')
  const doc = schema.description === undefined ? '' : `<p>${escaped(schema.description)}</p>`
  return `<li><code>${escaped(name)}</code> <span class="type">${escaped(facts)}</span>${doc}${fieldsOf(schema)}</li>`
}

function listOf({ properties = {}, required = [] }: Schema): string {
  const items = Object.entries(properties).map(([name, field]) => fieldItem(name, field, required.includes(name)))
  return items.length > 0 ? `<ul class="fields">${items.join('')}</ul>` : ''
}

/** The objects with named fields that a value may be, or may be a list of. */
function objectsIn(schema: Schema): Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap(objectsIn)
  if (schema.items) return objectsIn(schema.items)
  return schema.properties ? [schema] : []
}

function typeOf(schema: Schema): string {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.type === 'array')
    return schema.items?.properties ? 'list' : `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' or ')
  if (schema.type === 'string') return schema.format ?? 'text'
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties) {
    return `object of ${typeOf(schema.additionalProperties)} by name`
  }
  return schema.type ?? 'anything'
}

function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return [
    ...between(safe(minimum), safe(maximum), ''),
    ...between(minLength, maxLength, ' characters'),
    ...between(minItems, maxItems, ' items'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

function between(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
  if (least !== undefined) return [`at least ${least}${unit}`]
  return most === undefined ? [] : [`at most ${most}${unit}`]
}

/** Every integer has the bounds of the language, which say nothing. */
function safe(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound
}
