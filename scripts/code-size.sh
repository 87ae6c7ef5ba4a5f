#!/bin/sh
# Prints, for each package, the lines of TypeScript at a commit: code, what tests share (`testing.ts`, stand-ins, browser stacks, the conformance suite), tests.
#   sh scripts/code-size.sh [COMMIT]
git grep -c '' "${1:-HEAD}" -- '*.ts' '*.tsx' | awk -F: '
  { path = $2; split(path, part, "/"); name = path ~ /\// ? part[1] : "(root)"; names[name] = 1 }
  path ~ /\.test\.tsx?$/ { tests[name] += $3; next }
  path ~ /^(e2e|server\/(faults|ops|upgrade)|connectors\/(sandbox|conformance|kit\/worlds))\// || path ~ /testing\.ts$/ { shared[name] += $3; next }
  { code[name] += $3 }
  END {
    for (name in names) {
      printf "%-12s %8d %8d %8d\n", name, code[name], shared[name], tests[name] | "sort"
      c += code[name]; s += shared[name]; t += tests[name]
    }
    close("sort")
    printf "%-12s %8d %8d %8d\n", "all", c, s, t
  }'
