import { lookups } from './shell.ts';
import type { Node } from './tree.ts';

/** The script for zsh. */
export function zshCompletion(nodes: readonly Node[]): string {
  const names = lookups(nodes, (all) => all.map(([name, description]) => `${name}:${description}`).join('\n'));
  return `#compdef cay
# zsh completion for cay. For every new shell, after compinit: echo 'source <(cay completion zsh)' >> ~/.zshrc

${names}

_cay_fill() {
  local kind=\${1%%:*} what=\${1#*:}
  case $kind in
    folders) _files -/ ;;
    words) compadd -- \${=what} ;;
    printed) compadd -V printed -- \${(f)"$(eval "$what")"} ;;
    *) _files ;;
  esac
}

_cay() {
  local where='' word value
  local -a found
  integer position=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ $word == -* ]]; then
      value="$(_cay_value "$where" "$word")"
      [[ -z $value ]] && continue
      if ((i + 1 == CURRENT)); then
        _cay_fill "$value"
        return
      fi
      i=$((i + 1))
    elif [[ $'\\n'"$(_cay_commands "$where")" == *$'\\n'"$word":* ]]; then
      where=\${where:+$where }$word
    else
      position=$((position + 1))
    fi
  done
  if [[ \${words[CURRENT]} == -* ]]; then
    found=("\${(@f)$(_cay_flags "$where")}")
    _describe -o flag found
    return
  fi
  value="$(_cay_commands "$where")"
  if [[ -n $value ]] && ((position == 0)); then
    found=("\${(@f)value}")
    _describe command found
    return
  fi
  _cay_fill "$(_cay_argument "$where" "$position")"
}

compdef _cay cay
`;
}
