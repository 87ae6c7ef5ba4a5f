import type { ColumnMapping } from '@groundswell/contract/feedback.ts'

export type Role = keyof ColumnMapping

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Common names of columns in exports, likeliest first. Compared by `nameOf`. */
export const names: Record<Role, readonly string[]> = {
  text: words(`text message feedback comment body description content message_text feedback_text comment_text body_html
    html_body description_html content_html html_content message_html comment_html text_html html cons review review_text review_body review_content review_comment selftext
    response answer verbatim note notes question utterance query sentence summary details comments messages
    feedbacks body_preview preview snippet subject title nachricht kommentar rückmeldung beschreibung inhalt commentaire avis mensaje
    opinion opinión comentario comentário descripción descrição mensagem`),
  title:
    words(`title subject summary headline review_title review_headline issue_title post_title topic_title ticket_title ticket_subject ticket_name note_title titel
    überschrift betreff zusammenfassung titre objet résumé título asunto resumen assunto resumo`),
  id: words(
    `id external_id message_id feedback_id ticket_id comment_id review_id response_id respondent_id submission_id record_id issue_key issue_id
    vorgangsschlüssel id_oid uuid key guid`,
  ),
  author:
    words(`author user customer email name username user_name author_name customer_name full_name e_mail from sender
    requester reporter reviewer reviewer_name consumer_name requester_name contact_name associated_contact user_id customer_id author_id contact creator_name creator creator_email kunde autor auteur rapporteur informador relator`),
  date: words(`date created_at timestamp created time datetime date_time created_date creation_date at ts sent_at
    submitted_at submitted submitted_on posted_at posted posted_on review_date received_at updated_at datum fecha erstellt erstellt_am
    zeitstempel horodatage création when wann quand cuándo quando 日付`),
  link: words('link url permalink href web_url html_url message_url ticket_url'),
  customer:
    words(`company company_name customer_company organisation organization organisation_name organization_name account_name
    company_domain associated_company creator_company creator_company_name creator_organization creator_organisation firma entreprise empresa`),
  plan: words('plan plan_name subscription_plan tier tarif abonnement plano'),
  revenue: words('revenue annual_revenue mrr arr'),
  region: words('region territory'),
  rating:
    words(`rating overall_rating star_rating stars score review_rating review_stars review_score star_count nps nps_score csat csat_score bewertung
    sterne étoiles calificación puntuación avaliação 評価 评分 note nota`),
  role: words(`role author_role sender_role speaker_role participant_role message_role from_role user_role author_type sender_type
    speaker_type participant_type actor_type from_type user_type message_author_type direction message_direction inbound is_inbound
    incoming is_incoming outbound is_outbound outgoing is_outgoing from_agent is_agent by_agent from_staff is_staff by_staff
    is_employee from_company is_company from_customer is_customer by_customer sender author from speaker participant`),
  thread: words('thread conversation thread_id conversation_id thread_ts parent_id ticket discussion_id'),
}
/** Names of columns that become attributes of these names without being chosen: they say about what, or from where, the row is. */
export const attributeNames = {
  version: words(
    'version app_version app_version_name application_version product_version software_version release_version im_version_label versión versão',
  ),
  country: words('country country_code country_name storefront land pays país paese'),
}

/** Names that indicate a header, but none of the columns we need. */
const other =
  words(`label labels category tag tags type status priority rating score channel source lang language company
  country version kind intent topic nps stars product platform`)

const known = new Set([...Object.values(names).flat(), ...other])
const textNames = new Set(names.text)

/** More of a name is not compared: where the first line is a text instead of names, it may have thousands of characters. */
const MAX_COMPARED = 500

/** A column's name for comparison: `Created At` and `createdAt` are both `created_at`. Of its first 500 characters. */
export function nameOf(column: string): string {
  const compared = column.slice(0, MAX_COMPARED)
  const name = compared
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return name === '' ? compared.trim() : name
}

/** A column with its name for comparison. */
export type ComparedColumn = { name: string; plain: string }

/** Done once for a file: it may have a thousand columns, which are compared with hundreds of names. */
export const compared = (columns: readonly string[]): ComparedColumn[] =>
  columns.map((name) => ({ name, plain: nameOf(name) }))

/** The words of a column's name. */
export const wordsOf = (column: string): readonly string[] => nameOf(column).split('_')

/** True for a common name of a column. */
export const isColumnName = (cell: string): boolean => known.has(nameOf(cell))

/** True for a common name of the column of the dates. */
export const isDateName = (cell: string): boolean => names.date.includes(nameOf(cell))

/** True for a common name of the column of the text. */
export const isTextName = (cell: string): boolean => textNames.has(nameOf(cell))

/** True when a column's name rules out the author and the id. */
export const isOtherName = (column: string): boolean => wordsOf(column).some((word) => other.includes(word))

/** What only holds the fields of a message in JSON, as APIs wrap it: `node.title`, `attributes.body`. */
const WRAPPERS = new Set(words('data node fields attributes properties payload source item record content'))

/** The name of a field in such objects alone; null for all other columns. */
export function unwrappedName(column: string): string | null {
  const path = column.split('.').map(nameOf)
  const last = path.pop()
  return last !== undefined && path.length > 0 && path.every((name) => WRAPPERS.has(name)) ? last : null
}
