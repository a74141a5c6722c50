#!/bin/sh
# The libraries have no writable globals: every .data, .bss and thread-local section of every object is empty, and there
# are no common symbols. Tables that only relocation writes (.data.rel.ro) are fine.
# usage: globals.sh ARCHIVE...
passed=0 failed=0
for archive in "$@"; do
  found=$(objdump -h "$archive" | awk '
    /file format/ { object = $1 }
    $2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ { print object, $2, "0x" $3 }')
  common=$(objdump -t "$archive" | awk '/file format/ { object = $1 } / \*COM\*/ { print object, $NF }')
  objects=$(objdump -h "$archive" | grep -c 'file format')
  if [ -n "$found$common" ] || [ "$objects" -lt 2 ]; then
    echo "failed: $(basename "$archive") has writable globals:"
    printf '%s\n' "$found" "$common"
    objdump -t "$archive" | awk '/file format/ { object = $1 } $0 ~ / O \.(data|bss|tdata|tbss)/ && $0 !~ /\.data\.rel\.ro/ { print "  " object, $NF }'
    failed=$((failed + 1))
  else
    echo "$(basename "$archive"): $objects objects"
    passed=$((passed + 1))
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
