# Texts for the teacher, one per line. meanings.txt: WordNet's definitions and examples, and Debian's one-line descriptions of packages.
# software.txt: sentences of programs and their handbooks, some also rephrased as requests and complaints. Needs Debian's wordnet-base,
# words.txt written by `words.py`, and a folder `packages` with these Debian packages unpacked in it:
#   apt-get download PACKAGE… && for file in *.deb; do dpkg-deb -x "$file" "packages/${file%%_*}"; done
# mediawiki wordpress wordpress-l10n roundcube-core libreoffice-help-en-us gnucash-docs gnucash-common redmine request-tracker5 phpmyadmin
# zabbix-frontend-php telegram-desktop kodi-data homebank-data kmymoney-common evolution-common gnome-user-docs thunderbird tryton-client
# nextcloud-desktop-l10n gajim pidgin-data gnome-control-center-data cinnamon-l10n plasma-workspace-data dokuwiki icingaweb2 cacti gimp-help-en
# calibre grisbi-common skrooge-common ledgersmb sql-ledger simple-scan gnome-software-common gnome-calendar kaddressbook korganizer
# shotwell-common digikam-data debian-handbook debian-reference-en fortunes
import gettext
import html
import json
import re
import subprocess
import zipfile
from pathlib import Path
from random import Random

random = Random(5)
common = open('words.txt').read().split('\n')[:-1]
rank = {word: i for i, word in enumerate(common)}


def picked(lines, most):
    """At most `most` of the distinct lines, in a reproducible random order."""
    lines = sorted(set(lines))
    random.shuffle(lines)
    return lines[:most]


def wordnet():
    for kind in ('noun', 'verb', 'adj', 'adv'):
        for line in open(f'/usr/share/wordnet/data.{kind}', errors='ignore'):
            if line.startswith('  '):
                continue
            fields, said = line.split(' | ', 1)
            fields = fields.split(' ')
            names = [fields[4 + 2 * i].replace('_', ' ').lower() for i in range(int(fields[3], 16))]
            if min(rank.get(name.split(' ')[-1], 99_999) for name in names) >= 15_000:
                continue
            parts = re.split(r';\s*', said.strip())
            meaning = re.sub(r'\([^)]*\)', '', '; '.join(part for part in parts if not part.startswith('"'))).strip().lower()
            if 3 <= len(meaning.split()) <= 18:
                yield meaning
            if len(meaning.split()) <= 14 and random.random() < 0.5:
                yield f'{names[0]}: {meaning}'
            for part in parts:
                if part.startswith('"') and 3 <= len(part.split()) <= 20:
                    yield part.strip('"').lower()


def descriptions():
    listed = subprocess.run(['apt-cache', 'dumpavail'], capture_output=True, text=True, check=True).stdout
    for said in re.findall(r'^Description(?:-en)?: (.+)$', listed, re.M):
        if 3 <= len(said.split()) <= 16:
            yield said.lower()


LANGUAGES = r'/(de|fr|es|it|nl|pl|ru|de_DE|fr_FR|es_ES)/LC_MESSAGES/'
HANDBOOKS = r'/(en|en-US|en_US|C|help|html|lore)/|gnucash-docs|debian-handbook|request-tracker'
FOREIGN = r'/(de|fr|es|it|pt|ja|ru|zh|nl|ca|cs|el|da|sv|hu|id|pl|fa|ko|ar|hr|nb|ro|tr|vi|[a-z]{2}-[A-Z]{2})/'
QUOTED = r'"((?:[^"\\]|\\.)*)"'
MARKUP = r'\{\{[^}]*\}\}|\$\{[^}]*\}|\{[^}]*\}|%\([a-z_]+\)s|%[0-9$]*[a-zA-Z]+|\$[0-9]+|\[\[[^\]|]*\|?|\]\]|https?:\S+|<[^>]*>'


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)


def passages(file):
    """The texts in a file of any known kind; nothing for other files."""
    path, name = str(file), file.name
    if name.endswith('.mo') and re.search(LANGUAGES, path):
        for key in gettext.GNUTranslations(open(file, 'rb'))._catalog:
            yield (key[0] if isinstance(key, tuple) else key).split('\x04')[-1]
    elif name == 'en.json':
        yield from strings(json.loads(file.read_text()))
    elif name.endswith('.po') and 'kodi' not in path:
        for first, rest in re.findall(rf'msgid {QUOTED}((?:\s*"(?:[^"\\]|\\.)*")*)', file.read_text(errors='ignore')):
            yield first + ''.join(re.findall(QUOTED, rest))
    elif name == 'en.yml' or (('en_US' in path or '/lang/en/' in path) and name.endswith(('.inc', '.txt', '.php'))):
        yield from re.findall(r'(?:=>?|:)\s*[\'"]?([^\'"\n;]{12,})', file.read_text(errors='ignore'))
    elif name == 'omni.ja':
        with zipfile.ZipFile(file) as held:
            for one in held.namelist():
                if one.endswith(('.ftl', '.properties')):
                    yield from re.findall(r'^\s*\.?[\w.-]+\s*=\s*(.+)$', held.read(one).decode('utf8', 'ignore'), re.M)
    elif name.endswith(('.html', '.xhtml', '.page', '.docbook', '.xhp', '.xml')):
        if re.search(HANDBOOKS, path) and not re.search(FOREIGN, path) and file.stat().st_size < 3e6:
            text = re.sub(r'(?s)<(script|style|pre|programlisting|screen)[^>]*>.*?</\1>', ' ', file.read_text(errors='ignore'))
            for part in re.split(r'</?(?:p|li|h\d|td|title|para|dt|dd|div)[ >]', text):
                yield re.sub(r'^[^<>]*>', '', part)
    elif '/games/fortunes/' in path and '.' not in name:
        yield from file.read_text(errors='ignore').replace('\n%\n', '\n\n').split('\n\n')


def is_english(words):
    return words and sum(word.split("'")[0] in rank for word in words) / len(words) >= 0.88


def sentences(passage):
    for part in re.split(r'(?<=[.!?])\s+|\n\n+|\s*;\s+', passage):
        plain = re.sub(MARKUP, ' ', html.unescape(re.sub(r'<[^>]*>', ' ', part)))
        plain = re.sub(r'\s+', ' ', re.sub(r'[_&](?=\w)', '', plain)).strip().lower()
        words = re.findall(r"[a-z']+", plain)
        if not 3 <= len(words) <= 22 or len(plain) >= 220 or not plain.isascii() or re.search(r'[{}=\\<>|]|::|--|/\w+/', plain):
            continue
        if sum(map(len, words)) >= 0.7 * len(plain.replace(' ', '')) and is_english([word for word in words if len(word) > 1]):
            yield plain.strip(' .:')


def software():
    for file in sorted(Path('packages').rglob('*')):
        try:
            if file.is_file():
                for passage in passages(file):
                    yield from sentences(passage)
        except (OSError, UnicodeError, ValueError, zipfile.BadZipFile):
            continue


DEEDS = set(
    '''export import upload download delete remove add create edit change update cancel open close save load print share send receive sync connect
    disconnect install uninstall reset restore search find filter sort group move copy rename merge split assign invite join leave log sign verify confirm
    pay refund charge order ship deliver return track book schedule reschedule notify mute block report flag review rate translate convert calculate count
    compare show hide view locate lock unlock activate deactivate enable disable set configure customize adjust increase decrease limit extend renew
    upgrade downgrade transfer withdraw deposit exchange replace stop start play pause turn switch use try test check read write scan approve reject
    submit attach embed link duplicate archive recover select choose insert apply enter define specify display allow format reply forward mark drag drop
    paste cut undo redo record zoom rotate crop resize align make get go put keep access manage generate build run execute draw paint fill clear refresh
    reload reconnect subscribe unsubscribe bookmark preview publish'''.split()
)
ASKED = (
    'how do i %s|how can i %s|can i %s|i want to %s|i would like to %s|is it possible to %s|please let us %s|we need to %s|is there a way to %s|could you %s|where can i %s|'
    'help me %s|it would be great to %s'
).split('|')
FAILED = (
    "i can't %s|i cannot %s|unable to %s|it won't let me %s|it fails when i try to %s|error when i %s|i am not able to %s|we tried to %s but nothing happens|it takes forever to %s|"
    "nothing happens when i %s|customers can't %s|the app crashes when i %s"
).split('|')


def as_customers_say(lines):
    """A program's instructions, rephrased as a request and as a complaint."""
    for line in lines:
        words = line.split()
        if words[0] in DEEDS and len(words) <= 14 and '.' not in line:
            mine = re.sub(r"\b(your|the user's)\b", 'my', line)
            yield random.choice(ASKED) % mine
            yield random.choice(FAILED) % mine


said = picked(software(), 95_000)
for name, lines in {
    'meanings': picked(wordnet(), 70_000) + picked(descriptions(), 15_000),
    'software': said + picked(as_customers_say(said), 45_000),
}.items():
    open(f'{name}.txt', 'w').write('\n'.join(lines) + '\n')
    print(f'{name}: {len(lines)} texts')
