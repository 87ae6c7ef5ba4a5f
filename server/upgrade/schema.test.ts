import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { breaksOf } from '../platform/db/migration-locks.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { tableOwners } from '../tables.ts'
import { readCatalog } from './catalog.ts'
import { largeTables, lastingLocksOf } from './large-tables.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')

/** Migrations that existing databases have applied, by their hashes. None is ever edited: the next change gets a new file. */
const landed: Record<string, string> = {
  '0001-foundation.sql': '0e967605164f2c11106272e04eed549ca9ed8633d44a32f173685ebce13a9e4f',
  '0002-accounts-sources-history.sql': 'c9cd259fa9f9d530ccf3f69192538c0e23a9292b15e78b0ba2bb30e69560f595',
  '0003-corrections.sql': 'f5776de977c785b3b1070316b18f7b52135eec6a9e21d1e55f5479c50f7525b2',
  '0004-tags.sql': '2e374951a1dc8892299cb402dac04f3f037e990fe2890283831f59a4bd32cd80',
  '0005-models.sql': 'bd6b285ab8250ad27112b5ff11375bc921130b32e5aca41c6ae148dc565e84ef',
  '0006-embeddings.sql': '8b5399baa30f2f73861d41146153fd987cdd6eefe9d9d195e26100bd746b24d6',
  '0007-model-judgements.sql': '77f3a8a49b4d85710ff68e0c3a928faf236f44d68709eabef30aa2c6dad61854',
  '0008-embedding-guards.sql': '75813b17c88d35e30bea3d4e4ba207f1cac5bcbcccec992528567c5e872b8417',
  '0011-held-deliveries.sql': '3d27cbbf1d3b8d4cf5a0817fe022464b93add8cc71a0988952d02dc756badd3a',
  '0013-accounts-hardening.sql': '6155ee078cdff12529fd05f9130032ecdc03383988db8a91f443f2d8c013ca51',
  '0012-account-trust.sql': '6bdfdd5cb6f6ee4f735bacfe9a8a175b6eb0c3301848829e8f7e7f5fe1c22032',
  '0014-hosted-accounts.sql': 'a2789ac99deda5ffefe808219f852422f37190140ad10fb4804c4fb5cda899be',
  '0016-due-workspaces.sql': '325f9abc01c327af8c73b992d5cff3b418208f7a026f5aa1e3db0088d600a997',
  '0017-sync-state.sql': '6b4d1d41e3a8c84f2b3a7a1702f10456a98074c9fac76e096e24010adc254d1c',
  '0018-item-versions.sql': '8bc5df66844121065b9c87b5bcaa419725f1c407cee780480a6648f0571153a5',
  '0022-thread-context.sql': '52217b7122bece46761c39f04925e17f00c9bae9837e49453d089ca083b12b3f',
  '0023-request-pauses.sql': '3554f4257632521687e84faf34c480203e6465a2980e80a7e3a2e0dd4ff9d2ca',
  '0020-remote-items.sql': 'dc36f48c646f77d7a5eef90df20e0a10189c0a70c40559a209d8de29d5b07768',
  '0021-choices.sql': '049f1691f577697c35aa2e357aaa63787ffb85804f181b261e47856653b104cd',
  '0019-sign-in-life.sql': '56290f5c520f8638abdee8043ef5b56984a32e0d101e1a78c438ac9510560c8a',
  '0025-encoder.sql': '0afefb200327d24bdceab4748575af998b1980936565bd519800510f3c97c997',
  '0040-attempt-counts.sql': 'bfd8b428b21566a1fb6050733ba95109da308899dd7c4ec672bc512497160394',
  '0034-judge.sql': 'af22354718a749251bcec286d88082bf6273ebe0437cff7db5231b566a34b481',
  '0041-mention-counts.sql': '7e6aa16a230a78d81b6ac35d6c036b1b409561181b66cee63923daaaff92467a',
  '0042-sealing-at-start.sql': '3bc36cb74982faec1950ddd8718a0b7a36e05889c3160331b67746bf8e26ceb7',
  '0030-passes.sql': '33701a9ac350be327a1be6aea90e7df47ac2039d3617e41c323e4a6f5502c700',
  '0046-retention.sql': '9decc8d8b1a57fc7cb1e5979f7e45e319f70bf8da9e9eb900ac1d8b984340a48',
  '0045-declines.sql': 'ad704b409ed44f6564bcb81ef4fd451121730b1355df96a35b13fba1d64bf371',
  '0033-themes.sql': '65d27d0862b5cf3b6f021b55f70db2764623874ec1835349cc10e7de8f4d5642',
  '0060-visits.sql': 'ff9f837202e8d12b5e8219808ce4ac557395b9de742039da494496d4a419c084',
  '0061-newest-arrival.sql': '295fe2d078701878620fe3932ed0daa41495f1b33df3beb743eb6ac9ceb37085',
  '0063-job-leases.sql': 'd4ae6d3a454f99e05ef3725cb4632970ce9bb1728b2c498248465b3a2fdef505',
  '0064-team-status.sql': 'cdf6f48bb69c78a036f0c3d6fa009c23f2c9f16dd59d27a37fc8bc0dda8b8f8e',
  '0065-api-keys.sql': 'cf7c19724142d9b717f70a7fa40b9e5f6d2e5f04a7d58388b94421eeb760952e',
  '0066-feedback-search.sql': 'b824f11c952d3f8dda677fc56ae241639acf4f81eed5b94099df8576595474be',
  '0069-customers.sql': '0599db9046853a669b214fabb4c4e84fa417567a02a09e476c25134630e00cf3',
  '0075-digests.sql': '97288aba2a88014495c7ddf52fbbff9b68e1a1e1a83b9ab74e3d1512d9ba3601',
  '0076-told.sql': '096dbe9f2df782038bdb8a2a17f84900198ae59de9fd3a51aec0dd9288f6e680',
  '0078-assignment-and-comments.sql': 'f09d1741759fc3a4001b7fe53ab74cfa9ee1814c580ab67ae8f066d8393fce97',
  '0079-invited-sign-up.sql': '3f03aaa6c1ab9e6150b3d4deabcb754d81bf91fca0c3740c644aadb0b63c85e6',
  '0081-search-estimate.sql': 'fa992a416b94f9c62d5bf7434801d3a053de4f437af4df9140d62072406d5390',
  '0083-posts.sql': '86c457bfce83e6a3429e023c4596ec4058f796963dd85c0079df04968d55d05f',
  '0084-watched-customers.sql': '9ce4dc5e23c177ef48c7b4ac18d596f2183835cfbe9c467f8042682d98a7fa23',
  '0085-alert-sweeps.sql': '2b9e898614042494b5984f371c8bff2cbd29289513a95d6f313c39106643d6c8',
  '0087-name-confidence.sql': '686dd4b64bf84b5911e48e6f831005b63826740bfe55a78e2dbee7bb9a86982e',
  '0088-own-side-in-files.sql': '80d787b75a4b04a214ba5b2ce60e8c8b836187e60ca364f496353eef3949bbc7',
  '0091-declined-items.sql': '5b16a61408604d0d8102cb95792704f418ad0cad046ede1c4a8a19a46beb0ea9',
  '0089-tile-counts.sql': '1191f3f2310dd051bc8394be934365a1be7e6decb72e4bc2e56313f49b4cfa30',
  '0092-delivery-notices.sql': 'deec6f3555d8081cf1ac41df9d5d868ecefed5d15e14e91d9913a5534a44c713',
  '0093-links.sql': '8404dfa1f65fbd1e26c891e836ec285e07309bf55ff8952a9f9053eb9f3efcd2',
  '0094-fair-shares.sql': '61c2d83721aa70823e6bdeb67d2bf3e5bd0dfdeab2fdd00c4b8aeda07d28c7e2',
  '0098-unknown-dates.sql': '5211d9db46622ebb716a1d0ebed14a96052090c0d661ce96b34f72866c323ed1',
  '0100-copies.sql': '60100e008a973b34335d6d1a00bda37f4636e10627052523639c857bdb310893',
  // What a language model reads in messages.
  '0101-reading.sql': '58871a33d9b823cc8574462ffabc06cce76ad827d69c2971840e5533b9eb24cb',
  // Days without a time, and the time zone of a workspace.
  '0102-days.sql': 'afcd54db39cfb88e3d4bbfa5c093f1a381da7cb9768b839ffe1c5e205897ab4d',
  // Whether a delivery was asked for.
  '0103-automatic-deliveries.sql': 'a8f383539071a218b10b7c18f7c480962f939005a8a02e631182582738fd6d4e',
  // What insights got and lost besides what arrived.
  '0104-mention-moves.sql': 'c9f6a53febc5762e58eb603589e3b8ad738d18a5e69d924e2372cb95a1b196e9',
  // Insights that a language model reviewed.
  '0105-reviews.sql': '4fb703bc2c01e3f55d7de5257f4ffd14c26b84d3610d3d68aefaf572c2f5c3fd',
  // Search inside text without spaces, and in any form of a letter.
  '0106-search-in-every-script.sql': 'dd690d99312fa3084cbf990d8c9237cfa8400a7b21836b3bc2a749e4a969cac8',
  // Names that were stored with control characters.
  '0107-control-characters.sql': '48f1f5d86e39a180708a4588181147643ba7c770e101991c8dd137b7cf074820',
  // Parts of insights that a language model reviewed, and insights that are the same problem.
  '0110-review-parts.sql': 'c537ed4efeebd0d6a3d2b9b595e0ad3753d3389b4e1ec7bbbb76c1e0ae64aec2',
  '0111-names-in-history.sql': '93e2551d8690d3c56924c60ed14502dff2c8c7ec40537c346120205a63c83958',
  '0112-originals.sql': '3281bd3d780e5e8b9a5dd2b97964b535e51f59d17d0c1965c79a33eaeaa7eb5e',
  // Points that people correct, and messages that wait to be read.
  '0113-points-by-people.sql': '9478ea08a7c3f3a086ed5a30aa30cabab06e6a6ecf50882f9e521f144f09badb',
  '0114-attributes-of-customers.sql': '2bccfb8188054cbc269db08a5645f7512a4e5664d4ee29f7af0d2b2b0766d807',
  '0115-settled-insights.sql': '13ebd9bc0fb7795ce00ef7d03107850fbe08c33b3bf512ff06ae00c9f276e44c',
  '0116-cases.sql': '6952c6e8faf778728bfd6ff856e003782f0c3306f17b3637d92cfe65b92ee0ec',
  '0117-scores-by-people.sql': '4616ebcabafb0335e2f0d582f9500f8f2f46a8740c2b0af1b423bb9842508231',
  // Counts of reports by day.
  '0119-report-days.sql': 'fad7754c3bced6e18d98c6c9c623217184c317c73810252272b0d0d5aef210b6',
  // Attributes of messages to filter by.
  '0108-attributes.sql': 'fbc85cb94c07a13dfb898ed63ca7ffc28dfde1f8cbb26ae072827b6e9dc5dbbd',
  '0096-account-tables.sql': '4ce2145c5c832f14f96f0987f71af6032de36c87145f537435167affe1af70ad',
  '0077-receivers.sql': 'e5d478017a54080206684943a5f50a2a656122964d8f605f93e546401a5f7de1',
  '0067-roles.sql': '83d5984382ecb7cad9f75b0ca7c03d514afe8a2e14d376edfde888af0b62ff85',
  '0068-invitations.sql': '7570153a6af8c9edc560e03b6812fb2298423618d5ab681dd3edbfa1a854b0c9',
  '0080-single-sign-on.sql': 'e6b552b85c745bdc48a1e6e70250ce8b2c7e8266f3a2209d7b328a33dbf483d6',
  '0071-shared-links.sql': '540e122abba31becf5aeb8dd359ba02f713d18369df40f2626697156a0bb47b2',
  '0072-saved-views.sql': 'f08785a51deea3d29a089c11cdc80201ce7ae43c283d796f3b3c9883b63a0cac',
  '0056-monitoring.sql': '92cbf4fa9e5fc101f7dd3e16b6a42b05cb5d29b537dc1ae7807e194981221d66',
  '0032-kinds.sql': '419b95a26f77f304f6d82bb28a13fa3912d91c65c8bb457e400ab74144f874b7',
  '0010-file-sources.sql': 'b788645655d70d8cda4d854aaa904fbbf3bb01612789b5e01cd1237c643ce28f',
}

it.each(Object.entries(landed))('%s is as it landed', async (name, hash) => {
  const text = (await readFile(path.join(migrations, name), 'utf8')).replaceAll('\r\n', '\n')
  expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
})

/** Migrations that earlier versions of the program cannot run beside, from before updates without a stop. */
const STOPPING = ['0002-accounts-sources-history.sql', '0017-sync-state.sql']

it('no migration breaks the version that still runs', async () => {
  const breaking: string[] = []
  for (const name of await readdir(migrations)) {
    if (breaksOf(await readFile(path.join(migrations, name), 'utf8')).length > 0) breaking.push(name)
  }
  expect(breaking.sort()).toEqual(STOPPING)
})

const EARLIER = 'from before this rule'
/**
 * Migrations that hold up everybody at a large table while they read or index one, each with the reason why there is no other way. A new one should
 * not be among them: it adds constraints as `not valid`, lets the next migration validate them, and leaves what there is to a job in the background.
 */
const HOLDING_UP: Record<string, string> = {
  '0002-accounts-sources-history.sql': EARLIER,
  '0009-ungrouped.sql': EARLIER,
  '0010-file-sources.sql': EARLIER,
  '0016-due-workspaces.sql': EARLIER,
  '0018-item-versions.sql': EARLIER,
  '0022-thread-context.sql': EARLIER,
  '0030-passes.sql': EARLIER,
  '0032-kinds.sql': EARLIER,
  '0041-mention-counts.sql': EARLIER,
  '0046-retention.sql': EARLIER,
  '0060-visits.sql': EARLIER,
  '0061-newest-arrival.sql': EARLIER,
  '0072-saved-views.sql': EARLIER,
}

it('no migration locks a large table while it reads or indexes one', async () => {
  const holding: string[] = []
  let before = ''
  for (const name of (await readdir(migrations)).filter((one) => one.endsWith('.sql')).sort()) {
    const sql = await readFile(path.join(migrations, name), 'utf8')
    const locks = lastingLocksOf(sql, before)
    if (locks.length > 0 && !(name in HOLDING_UP)) holding.push(`${name}: ${locks.join('; ')}`)
    if (locks.length === 0 && name in HOLDING_UP) holding.push(`${name} need not be listed`)
    before += `\n${sql}`
  }
  expect(holding).toEqual([])
})

it.each([
  ['create index statement_said on statement (said_at);', ['share lock of statement while it works on statement']],
  [
    'alter table feedback_item add column seen boolean; update feedback_item set seen = true;',
    ['access exclusive lock of feedback_item while it works on feedback_item'],
  ],
  [
    `alter table statement add constraint statement_kind check (kind <> '');`,
    ['access exclusive lock of statement while it works on statement'],
  ],
  [
    `alter table feedback_item no force row level security;
    create table item_total as select workspace_id, count(*) from feedback_item group by 1;`,
    ['access exclusive lock of feedback_item while it works on feedback_item'],
  ],
  [
    `create trigger counted after insert on mention_change for each row execute function count_it();
    do $$ begin delete from statement_vector where space = ''; end $$;`,
    ['share row exclusive lock of mention_change while it works on statement_vector'],
  ],
  [
    `create table mark (workspace_id uuid, item_id bigint, foreign key (workspace_id, item_id) references feedback_item);
    insert into mark select workspace_id, item_id from statement;`,
    ['share row exclusive lock of feedback_item while it works on statement'],
  ],
  [`alter table statement add constraint statement_kind check (kind <> '') not valid;`, []],
  ['alter table statement validate constraint statement_kind;', []],
  ['alter table feedback_item add column seen boolean not null default false;', []],
  ['create index insight_name on insight (workspace_id, name);', []],
])('a made-up migration: %s', async (sql, locks) => {
  const names = (await readdir(migrations)).filter((one) => one.endsWith('.sql')).sort()
  const before = await Promise.all(names.map((name) => readFile(path.join(migrations, name), 'utf8')))
  expect(lastingLocksOf(sql, before.join('\n'))).toEqual(locks)
})

it('every large table is a table', () => {
  expect([...largeTables].filter((table) => !(table in tableOwners))).toEqual([])
})

/** schema-0002.txt was made from a database whose tables were created in one go, before there was a second migration. */
it('the first two migrations make the schema that was meant', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-landed-'))
  for (const name of Object.keys(landed).slice(0, 2)) await cp(path.join(migrations, name), path.join(folder, name))
  const database = await testDatabase({ migrations: folder })
  try {
    const meant = await readFile(path.join(import.meta.dirname, 'schema-0002.txt'), 'utf8')
    expect((await readCatalog(database.ownerUrl)).join('\n')).toBe(meant.trimEnd())
  } finally {
    await database.cleanup()
    await rm(folder, { recursive: true })
  }
})
