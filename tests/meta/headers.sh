#!/bin/sh
# Compiles each public header alone, as C11 and as C++11, and twice in one file.
# usage: headers.sh ROOT CC CXX
root=$1 cc=$2 cxx=$3 passed=0 failed=0
for header in "$root"/include/webnn/*.h; do
  name=webnn/$(basename "$header")
  for language in c c++; do
    if [ $language = c ]; then compiler=$cc standard=c11; else compiler=$cxx standard=c++11; fi
    if printf '#include <%s>\n#include <%s>\nextern int declared;\n' "$name" "$name" |
      $compiler -std=$standard -pedantic -Wall -Wextra -Werror -I "$root/include" -fsyntax-only -x $language -; then
      passed=$((passed + 1))
    else
      echo "failed: $name as $standard"
      failed=$((failed + 1))
    fi
  done
done
[ $passed -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
