# Completion of the webnn command for bash: commands, options, files.
_webnn() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  local commands='run info check bench profile graph diff ops kernel help'
  local model='--dim --shape --value --default-dim --json --quiet --help'
  local inputs='--input --input-json --fill --seed --size --mean --std --scale --layout --channels --bgr'
  local engine='--threads --reference --features --without --cache'
  local words=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
    return
  fi
  case $previous in
    --fill) words='random ramp zeros ones' ;;
    --layout) words='nchw nhwc' ;;
    --channels) words='1 3 4' ;;
    --format) words='svg dot' ;;
    --by) words='step op kernel' ;;
    --order) words='time graph' ;;
    --device) words='cpu webgpu' ;;
    --features | --b-features) words='none avx2 avxvnni avx512 vnni amx neon' ;;
    --without | --b-without) words='fold dedup simplify patterns fuse layout inplace winograd attention' ;;
    --saved | --path)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return ;;
  esac
  if [ -z "$words" ] && [ "${current#-}" != "$current" ]; then
    case $command in
      run) words="$model $inputs $engine --top --labels --output --save --rows" ;;
      info) words="$model $engine" ;;
      check) words="$model --all" ;;
      bench) words="$model $inputs $engine --seconds --runs --warmup --save --compare --tolerance" ;;
      profile) words="$model $inputs $engine --runs --by --top --order --html" ;;
      graph) words="$model --out --format --all" ;;
      diff) words="$model $inputs $engine --rtol --atol --all --outputs-only --saved --save --b-fast --b-threads --b-features --b-without" ;;
      ops) words='--json --help' ;;
      kernel) words='--device --variant --case --version --rounds --threads --path --library --strict --explain --help' ;;
    esac
  fi
  if [ "$command" = ops ] && [ -z "$words" ]; then
    words=$("${COMP_WORDS[0]}" ops 2>/dev/null | sed -n 's/^  \([A-Za-z0-9]*\) .*/\1/p')
  elif [ "$command" = kernel ] && [ "$COMP_CWORD" = 2 ]; then
    words='info test bench render'
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _webnn webnn
