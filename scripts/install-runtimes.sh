#!/usr/bin/env bash
# Installs what the tests need and this machine lacks, from Debian's packages. `--all`: for all sixteen runtimes.
set -euo pipefail

packages=()
# need PACKAGE COMMAND...: the package, when one of the commands is not there
need() {
  local package=$1 command
  shift
  for command in "$@"; do
    if ! command -v "$command" > /dev/null; then
      packages+=("$package")
      return
    fi
  done
}

need bubblewrap bwrap
need gcc gcc
need g++ g++
need python3 python3
need perl perl
need default-jdk-headless javac java
# rustup's is there without a toolchain, where HOME is another.
rustc --version > /dev/null 2>&1 || packages+=(rustc)
need golang-go go
need ruby ruby
need php-cli php
need openssl openssl
need zsh zsh
need fish fish
need systemd systemd-analyze
if [[ ${1:-} == --all ]]; then
  need kotlin kotlinc
  need mono-mcs mcs
  need mono-runtime mono
  need r-base-core Rscript
  need elixir elixir
fi

# The proxies of deploy/ are unpacked and not installed: they would start, and listen.
unpacked=$(cd "$(dirname "$0")/.." && pwd)/build/debian
proxies=()
PATH=$PATH:/usr/sbin:$unpacked/usr/sbin:$unpacked/usr/bin
for proxy in nginx caddy; do
  command -v "$proxy" > /dev/null || proxies+=("$proxy")
done

((${#packages[@]} + ${#proxies[@]})) || exit 0
echo "Installing ${packages[*]} ${proxies[*]} ..."
as_root=()
if ((EUID != 0)); then
  as_root=(sudo -n)
  if ! sudo -n true 2> /dev/null; then
    echo "Not root: install them yourself, or their tests will fail." >&2
    exit 1
  fi
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
if ((${#packages[@]})); then
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" > /dev/null
fi
if ((${#proxies[@]})); then
  mkdir -p "$unpacked"
  cd "$unpacked"
  apt-get download -qq "${proxies[@]}"
  for package in *.deb; do dpkg -x "$package" .; done
  rm -- *.deb
fi
