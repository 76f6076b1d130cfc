#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command of the repository where nothing is installed: in a new Debian
# 12 that holds apt, make and git, on a fresh clone of HEAD. Packages come from
# where this machine's apt gets them. Needs root, mmdebstrap, and some 6 GB.
#
#   tools/bare-root.sh make demo
#
#   HD_BARE_FOLDER   where the root is made (default /var/tmp)
#   HD_BARE_CCACHE   a folder of ccache's to share: it saves compiling, and
#                    wants every header all the same
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: tools/bare-root.sh COMMAND…" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "bare-root: run as root" >&2; exit 1; }
if ! command -v mmdebstrap >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends mmdebstrap
fi

work=$(mktemp -d "${HD_BARE_FOLDER:-/var/tmp}/heddle-bare.XXXXXX")
root=$work/root
# What is mounted below is mounted in a namespace of its own, and ends with it.
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM HUP

# The machine's sources and their keys; of its settings, those of downloads.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
  [ ! -s "$file" ] || sources+=("$file")
done
apt-config dump | grep -E '^Acquire::(Check|http|Retries)' >"$work/settings" || true
cat >"$work/keys" <<'END_OF_KEYS'
for folder in /etc/apt/keyrings /etc/apt/trusted.gpg.d /etc/apt/preferences.d \
  /etc/apt/auth.conf.d /usr/share/keyrings; do
  [ -d $folder ] || continue
  mkdir -p "$1$folder"
  cp -a $folder/. "$1$folder/"
done
cp /etc/resolv.conf /etc/hosts "$1/etc/"
END_OF_KEYS
packages=make,git
! grep -qs https: "${sources[@]}" || packages+=,ca-certificates

echo "== a Debian 12 with $packages"
mmdebstrap --quiet --mode=root --variant=apt --include=$packages \
  --aptopt="$work/settings" --setup-hook="sh $work/keys \"\$1\"" \
  bookworm "$root" "${sources[@]}"
git clone -q --no-hardlinks . "$root/heddle"

cache=${HD_BARE_CCACHE:+$root/ccache}
[ -z "$cache" ] || mkdir "$cache"
cat >"$work/inside" <<'END_OF_INSIDE'
set -e
root=$1 ccache=$2
shift 2
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
[ -z "$ccache" ] || mount --bind "$ccache" "$root/ccache"
exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  ${ccache:+CCACHE_DIR=/ccache} ${http_proxy:+http_proxy="$http_proxy"} \
  ${https_proxy:+https_proxy="$https_proxy"} ${HD_SEED:+HD_SEED="$HD_SEED"} \
  sh -c 'cd /heddle && exec "$@"' sh "$@"
END_OF_INSIDE
echo "== $*"
unshare --mount --pid --fork --kill-child \
  bash "$work/inside" "$root" "${HD_BARE_CCACHE:-}" "$@"
