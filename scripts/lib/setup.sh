# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Sourced by the scripts beside it: brings a Debian machine to where Tilewright builds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jobs=$(nproc)

debian_packages=(
  g++ clang-22 libclang-rt-22-dev lld-22 llvm-22-tools clang-format-22 clang-tidy-22
  cmake ninja-build ccache pkg-config git python3 python3-venv
  libfmt-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev libxxhash-dev libzstd-dev
  libutf8proc-dev libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev
)

say() { printf '\n== %s (%s)\n' "$*" "$(date +%H:%M:%S)"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "this needs root, and there is no sudo: $*"
  fi
}

missing_packages() {
  local installed
  # dpkg-query fails when it has never heard of one of them, which is what we are here to learn.
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${debian_packages[@]}" \
    2>/dev/null | sed -n 's/^installed //p' || true)
  printf '%s\n' "${debian_packages[@]}" | grep -vxF "$installed" || true
}

# Installs what is missing of the Debian packages; asks no network when nothing is.
install_packages() {
  command -v dpkg-query >/dev/null ||
    die "not a Debian system: install the equivalents of ${debian_packages[*]}"
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} == 0)) && return
  say "Installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
    "${missing[@]}"
}

# Brings .venv to the state that the requirements files describe. They pin every package, those that
# others need included: what a package only claims to need stays away.
install_python_packages() {
  local file wanted=() present="$root/.venv/requirements.txt"
  for file in "$root"/{python,tests/interop,tests/minilm,tests/tileiras,examples/minilm}/requirements.txt; do
    [[ -f $file ]] && wanted+=("$file")
  done
  ((${#wanted[@]} == 0)) && return
  cat "${wanted[@]}" | cmp -s - "$present" && return
  say "Installing Python packages into .venv"
  python3 -m venv "$root/.venv"
  "$root/.venv/bin/pip" install --quiet --no-deps "${wanted[@]/#/--requirement=}"
  cat "${wanted[@]}" >"$present"
}
