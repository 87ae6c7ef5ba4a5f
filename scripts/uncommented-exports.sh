#!/bin/sh
# Counts the exported functions, constants, classes and types of all TypeScript but tests, and those without a doc comment. A schema and its type of the
# same name count once, because editors show the comment of one for both. A call (`route({ … })`) is described by its `summary`.
#   sh scripts/uncommented-exports.sh [--list]
git ls-files '*.ts' '*.tsx' ':!*.test.ts' ':!*.test.tsx' | awk -v list="$1" '
  {
    before = ""
    while ((getline line < $0) > 0) {
      if (match(line, /^(export )?(async )?(abstract )?(function\*?|const|class|type|interface) [A-Za-z0-9_]+/)) {
        count = split(substr(line, RSTART, RLENGTH), word, " ")
        name = $0 " " word[count]
        if (line ~ /^export/) exported[name] = 1
        if (before ~ /\*\/$/ || line ~ /= route\(\{$/) commented[name] = 1
      }
      before = line
    }
    close($0)
  }
  END {
    for (name in exported) {
      all += 1
      if (commented[name]) continue
      without += 1
      if (list) print name | "sort"
    }
    close("sort")
    printf "%d of %d (%.1f %%)\n", without, all, 100 * without / all
  }'
