#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs scripts/quickstart from a fresh clone in a new Debian 12 with nothing installed, and says how long it took.
# Needs root and debootstrap; the machine's own settings for apt and pip are taken along.
#
#   tests/package/fresh_debian.sh [FOLDER]     FOLDER: where the system goes; removed first
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
system=$(realpath -m "${1:-/var/tmp/tilewright-debian}")
limit=900  # seconds that quickstart may take
((EUID == 0)) || { echo "this needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || apt-get install -qy debootstrap

leave() {
  local mounted
  for mounted in dev proc; do umount "$system/$mounted" 2>/dev/null || true; done
}
trap leave EXIT
leave
rm -rf "$system"

sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*.sources)
mirror=$(sed -n 's/^URIs: *//p; s/^deb [^h]*\(http[^ ]*\).*/\1/p' "${sources[@]}" 2>/dev/null || true)
mirror=${mirror%%$'\n'*}
debootstrap --variant=minbase --include=ca-certificates,git bookworm "$system" "$mirror"

# How this machine reaches its packages: sources, keys, credentials and certificates.
rm -f "$system/etc/apt/sources.list"
for path in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/auth.conf.d /etc/apt/trusted.gpg.d \
  /etc/apt/keyrings /etc/pip.conf /etc/resolv.conf /etc/hosts /etc/ssl/certs \
  /usr/local/share/ca-certificates; do
  if [[ -e $path ]]; then
    mkdir -p "$system$(dirname "$path")"
    cp -aLT "$path" "$system$path" 2>/dev/null || cp -aT "$path" "$system$path"
  fi
done
for file in /etc/apt/apt.conf.d/*; do
  grep -qi 'acquire' "$file" && cp "$file" "$system/etc/apt/apt.conf.d/"
done
mapfile -t settings < <(env | grep -E '^(PIP_[A-Z_]*|https?_proxy|no_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE)=')
for setting in "${settings[@]}"; do
  path=${setting#*=}
  [[ -f $path ]] && { mkdir -p "$system$(dirname "$path")"; cp -L "$path" "$system$path"; }
done

git clone -q --no-hardlinks "$here" "$system/tilewright"
mount --bind /dev "$system/dev"
mount -t proc proc "$system/proc"
begin=$SECONDS
chroot "$system" env -i "${settings[@]}" PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  bash -c 'cd /tilewright && scripts/quickstart'
took=$((SECONDS - begin))
echo "quickstart took $took s of $limit s"
((took <= limit))
