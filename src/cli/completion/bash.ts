import { lookups } from './shell.ts';
import type { Node } from './tree.ts';

/** The script for bash 4 and later. */
export function bashCompletion(nodes: readonly Node[]): string {
  const names = lookups(nodes, (all) => all.map(([name]) => name).join(' '));
  return `# bash completion for cay. For every new shell: echo 'source <(cay completion bash)' >> ~/.bashrc

${names}

_cay_fill() {
  local kind=\${1%%:*} what=\${1#*:} line
  case $kind in
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$2") && compopt -o filenames 2>/dev/null ;;
    words) mapfile -t COMPREPLY < <(compgen -W "$what" -- "$2") ;;
    printed)
      while IFS= read -r line; do
        [[ $line == "$2"* ]] && COMPREPLY+=("$(printf %q "$line")")
      done < <(eval "$what") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$2") && compopt -o filenames 2>/dev/null ;;
  esac
}

_cay() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' position=0 word value i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      value=$(_cay_value "$path" "$word")
      [[ -z $value ]] && continue
      if ((i + 1 == COMP_CWORD)); then
        _cay_fill "$value" "$current"
        return
      fi
      i=$((i + 1))
    elif [[ " $(_cay_commands "$path") " == *" $word "* ]]; then
      path=\${path:+$path }$word
    else
      position=$((position + 1))
    fi
  done
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_cay_flags "$path")" -- "$current")
    return
  fi
  word=$(_cay_commands "$path")
  if [[ -n $word ]] && ((position == 0)); then
    mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")
    return
  fi
  _cay_fill "$(_cay_argument "$path" "$position")" "$current"
}

complete -F _cay cay
`;
}
